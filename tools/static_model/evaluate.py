"""How well a token table retrieves, alone and fused with BM25, and how it tells repeats from unrelated texts.

    python evaluate.py --data FOLDER [--table FILE.npz]

FOLDER holds `locomo_dev.json`, `cjk/memories.jsonl`, `cjk/queries_dev.jsonl` and `write_gate_dev.jsonl`.
Without --table the shipped one is measured.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import snowballstemmer
from numpy.typing import NDArray

from engram_pg import static_model
from engram_pg.static_model import reference

Array = NDArray[np.float32]
STOP_WORDS = """
a an the of to in on at for from with by as is are was were be been being am do does did have has had what
when
where who whom which why how that this these those it its he she his her him they them their i me my we our
you
your and or but if not no so than then too very can will just s t d ll m re ve about into over after before
"""
STOP = frozenset(STOP_WORDS.split())
STEMMER = snowballstemmer.stemmer("english")


class Table:
    def __init__(self, tokens: Sequence[str], vectors: Array) -> None:
        self.row = {token: i for i, token in enumerate(tokens)}
        self.vectors = vectors.astype(np.float32)

    def embed(self, texts: Sequence[str]) -> Array:
        out = np.zeros((len(texts), self.vectors.shape[1]), np.float32)
        for i, text in enumerate(texts):
            rows = [self.row[token] for token in reference.tokens(text, self.row) if token in self.row]
            if rows:
                total = self.vectors[rows].sum(0)
                out[i] = total / (np.linalg.norm(total) or 1)
        return out


@dataclass
class Space:
    """One user: what is remembered, and what is asked, with the right answers' positions and a group."""

    texts: list[str]
    questions: list[tuple[str, set[int], str]]


def lexemes(text: str) -> list[str]:
    out: list[str] = []
    for run in reference.RUN.findall(reference.fold(text)):
        if re.match(f"[{reference.CJK}]", run):
            out += [run[i : i + 2] for i in range(len(run) - 1)] or [run]
        elif run not in STOP:
            out.append(STEMMER.stemWord(run))
    return out


def coverage_bm25(space: Space, k1: float = 1.2, b: float = 0.75) -> Array:
    documents = [Counter(lexemes(text)) for text in space.texts]
    lengths = np.array([sum(d.values()) for d in documents], np.float32)
    norm = k1 * (1 - b + b * lengths / lengths.mean())
    postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for i, document in enumerate(documents):
        for term, count in document.items():
            postings[term].append((i, count))
    out = np.zeros((len(space.questions), len(documents)), np.float32)
    for q, (question, _, _) in enumerate(space.questions):
        ideal = 0.0
        for term in set(lexemes(question)):
            n = len(postings.get(term, ()))
            idf = math.log(1 + (len(documents) - n + 0.5) / (n + 0.5))
            ideal += idf * (k1 + 1)
            for i, count in postings.get(term, ()):
                out[q, i] += idf * count * (k1 + 1) / (count + norm[i])
        out[q] /= ideal or 1
    return out


def min_max(scores: Array) -> Array:
    low, high = scores.min(1, keepdims=True), scores.max(1, keepdims=True)
    scaled: Array = (scores - low) / np.maximum(high - low, 1e-9)
    return scaled


def hits(spaces: Sequence[Space], scores: Sequence[Array], k: int = 5) -> dict[str, float]:
    found: dict[str, list[bool]] = defaultdict(list)
    for space, matrix in zip(spaces, scores, strict=True):
        top = np.argsort(-matrix, axis=1, kind="stable")[:, :k]
        for best, (_, gold, group) in zip(top, space.questions, strict=True):
            hit = bool(gold & set(best.tolist()))
            found["all"].append(hit)
            found[group].append(hit)
    return {group: round(100 * sum(h) / len(h), 1) for group, h in found.items()}


def locomo(path: Path) -> list[Space]:
    spaces = []
    for sample in json.loads(path.read_text("utf-8")):
        talk = sample["conversation"]
        ids, texts = [], []
        for key in sorted((k for k in talk if re.fullmatch(r"session_\d+", k)), key=lambda k: int(k[8:])):
            for turn in talk[key]:
                ids.append(turn["dia_id"])
                texts.append(f"[{talk[key + '_date_time']}] {turn['speaker']}: {turn['text']}")
        position = {dia: i for i, dia in enumerate(ids)}
        questions = []
        for qa in sample["qa"]:
            gold = {position[e] for e in qa.get("evidence", ()) if e in position}
            if gold and qa["category"] != 5:
                questions.append((qa["question"], gold, f"c{qa['category']}"))
        spaces.append(Space(texts, questions))
    return spaces


def cjk(folder: Path) -> list[Space]:
    memories = [json.loads(line) for line in (folder / "memories.jsonl").open(encoding="utf-8")]
    random.Random(1).shuffle(memories)
    position = {m["id"]: i for i, m in enumerate(memories)}
    asked = [json.loads(line) for line in (folder / "queries_dev.jsonl").open(encoding="utf-8")]
    questions = [(q["query"], {position[g] for g in q["gold"]}, q["kind"]) for q in asked]
    return [Space([m["text"] for m in memories], questions)]


def gate(path: Path, table: Table) -> dict[str, Any]:
    """Cosines by language: each kind of item of the gate, and pairs of different items."""
    items = [json.loads(line) for line in path.open(encoding="utf-8")]
    left = table.embed([item["existing"][item["target"] or 0] for item in items])
    right = table.embed([item["incoming"] for item in items])
    cosine = left @ right.T
    out: dict[str, Any] = {}
    for language in ["all", *sorted({item["lang"] for item in items})]:
        chosen = [i for i, item in enumerate(items) if language in ("all", item["lang"])]
        same = {
            kind: [float(cosine[i, i]) for i in chosen if items[i]["expected"] == kind]
            for kind in ("duplicate", "contradiction", "complement", "distinct")
        }
        random_pairs = [
            float(cosine[i, j])
            for i in chosen
            for j in chosen
            if i != j and items[i]["lang"] == items[j]["lang"]
        ]
        duplicates = np.array(same["duplicate"])
        auc = float(np.mean(duplicates[:, None] > np.array(random_pairs)[None])) if len(duplicates) else 0.0
        out[language] = {k: f"{np.mean(v):.2f}±{np.std(v):.2f}" for k, v in same.items() if v} | {
            "random": f"{np.mean(random_pairs):.2f}±{np.std(random_pairs):.2f}",
            "auc": round(auc, 3) if same["duplicate"] else None,
        }
    return out


def measure(table: Table, data: Path, weights: Sequence[float] = (1.0, 1.5, 2.5)) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for name, spaces in (("locomo", locomo(data / "locomo_dev.json")), ("cjk", cjk(data / "cjk"))):
        lexical = [coverage_bm25(space) for space in spaces]
        dense = [table.embed([q for q, _, _ in s.questions]) @ table.embed(s.texts).T for s in spaces]
        out[f"{name} bm25"] = hits(spaces, lexical)
        out[f"{name} dense"] = hits(spaces, dense)
        for w in weights:
            fused = [w * x + 0.6 * min_max(y) for x, y in zip(lexical, dense, strict=True)]
            out[f"{name} fused {w}"] = hits(spaces, fused)
    out |= {f"gate {language}": row for language, row in gate(data / "write_gate_dev.jsonl", table).items()}
    return out


def quantiles(table: Table, data: Path) -> dict[str, dict[str, float]]:
    """Cosines of random pairs of memories and of each kind of gate item, for the model's thresholds."""
    out: dict[str, dict[str, float]] = {}
    rng = np.random.default_rng(1)
    stamped = locomo(data / "locomo_dev.json")
    bare = [Space([re.sub(r"^\[.*?\] \w+: ", "", text) for text in space.texts], []) for space in stamped]
    pools = {"locomo": stamped, "locomo bare": bare, "cjk": cjk(data / "cjk")}
    for name, spaces in pools.items():
        cosines: list[float] = []
        for space in spaces:
            vectors = table.embed(space.texts)
            a, b = rng.integers(0, len(vectors), (2, 20000))
            cosines += (vectors[a] * vectors[b]).sum(1)[a != b].tolist()
        out[f"random {name}"] = describe(cosines)
    items = [json.loads(line) for line in (data / "write_gate_dev.jsonl").open(encoding="utf-8")]
    for kind in ("duplicate", "contradiction", "complement", "distinct"):
        chosen = [i for i in items if i["expected"] == kind]
        left = table.embed([i["existing"][i["target"] or 0] for i in chosen])
        out[kind] = describe((left * table.embed([i["incoming"] for i in chosen])).sum(1).tolist())
    return out


def describe(values: Sequence[float]) -> dict[str, float]:
    marks = (1, 5, 25, 50, 75, 95, 99)
    found = {f"p{m}": float(np.percentile(values, m)) for m in marks}
    summary = {"mean": float(np.mean(values)), "sd": float(np.std(values))} | found
    return {k: round(v, 3) for k, v in summary.items()}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--table", type=Path)
    arguments = parser.parse_args()
    if arguments.table:
        stored = np.load(arguments.table)
        table = Table(stored["tokens"].tolist(), stored["vectors"])
    else:
        rows = list(static_model.rows())
        table = Table([t for t, _ in rows], np.array([np.frombuffer(v, np.int8) for _, v in rows]))
    for name, row in (measure(table, arguments.data) | quantiles(table, arguments.data)).items():
        print(f"{name:18}", json.dumps(row, ensure_ascii=False))


if __name__ == "__main__":
    main()

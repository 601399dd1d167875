"""Shows what a benchmark measured, as tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engram_pg.cli._output import console, show_table

COLUMNS = ("questions", "hit@1", "hit@5", "hit@10", "recall@5", "mrr")


def show_retrieval(result: Mapping[str, Any]) -> None:
    """Scores by profile and group, then rates and times."""
    for profile, measured in result["profiles"].items():
        times = measured["recall"]
        console().print(
            f"[bold]{profile}[/bold]  recall p50 {times['p50_ms']:.1f} ms, p95 {times['p95_ms']:.1f} ms"
        )
        rows = [
            (group, *(_shown(column, scores[column]) for column in COLUMNS))
            for group, scores in measured["scores"].items()
        ]
        show_table(("", "questions", "Hit@1", "Hit@5", "Hit@10", "Recall@5", "MRR"), rows)
    if "query_embedding" in result:
        times, rate = result["query_embedding"], result["embedded_per_second"]
        console().print(
            f"{result['model']}: {rate:.0f} memories a second, a question p50 {times['p50_ms']:.1f} ms,"
            f" p95 {times['p95_ms']:.1f} ms, apart from its recall"
        )
    rate = result["ingest_per_second"]
    console().print(
        f"{result['memories']} memories of {result['users']} users, ingested at {rate:.0f} a second"
    )


def show_consolidation(result: Mapping[str, Any]) -> None:
    """The scores before and after, and what was put together."""
    rows = [
        (group, when, *(_shown(column, result[when][group][column]) for column in COLUMNS))
        for group in result["before"]
        for when in ("before", "after")
    ]
    show_table(("", "", "questions", "Hit@1", "Hit@5", "Hit@10", "Recall@5", "MRR"), rows)
    read = [result[when]["all"]["characters@5"] for when in ("before", "after")]
    console().print(f"the first five hits have {read[0]:.0f} characters before and {read[1]:.0f} after")
    console().print(
        f"{result['model']}, threshold {result['threshold']:.3f}: of {result['memories']} memories of"
        f" {result['users']} users {result['folded']} folded into others and {result['retired']} retired, in"
        f" {result['clusters']} clusters; {result['ms_a_memory']:.1f} ms a memory,"
        f" {result['ms_a_cluster']:.1f} a cluster"
    )
    console().print(f"sentences that stand nowhere as they were: {len(result['reworded'])}")
    if "repeats" in result:
        console().print(
            f"of {result['repeats']} repeats {result['repeats_folded']} folded; put into another fact:"
            f" {len(result['mixed'])}; facts lost: {len(result['lost'])}"
        )
    console().print(f"the same after undo of all: {'yes' if result['same_after_undo'] else 'NO'}")


def show_reach(result: Mapping[str, Any]) -> None:
    """What the thresholds of the model tell apart, and the one that would tell best."""
    best = result["best"]
    rows = [
        (label, f"{at:.3f}", f"{own:.1f}", f"{others:.1f}")
        for label, at, own, others in (
            ("recall_at", result["recall_at"], result["own"], result["others"]),
            ("tells best", best["at"], best["own"], best["others"]),
        )
    ]
    console().print(f"{result['model']}, {result['questions']} questions: reached by a memory, in percent")
    show_table(("", "cosine", "own conversation", "another one"), rows)
    console().print(
        f"answers from fallback_at {result['fallback_at']:.3f} on:"
        f" {result['answers_from_fallback_at']:.1f} percent"
    )


def show_isolation(result: Mapping[str, Any]) -> None:
    rows = [
        (
            label,
            f"{measured['rows']:.2f}",
            str(measured["fewest_rows"]),
            f"{measured['recall@10']:.4f}",
            f"{measured['p50_ms']:.1f}",
            f"{measured['p95_ms']:.1f}",
        )
        for label, measured in (
            ("defaults", result["defaults"]),
            ("HNSW index forced", result["index_forced"]),
        )
    ]
    console().print(
        f"{result['users']} users with {result['memories_a_user']} alike memories each, k = {result['k']}"
    )
    show_table(("", "rows", "fewest", "recall@10", "p50 ms", "p95 ms"), rows)


def show_speed(result: Mapping[str, Any]) -> None:
    times = result["remember"]
    actions = ", ".join(f"{count} {action}" for action, count in result["actions"].items())
    rate = result["per_second"]
    console().print(f"{result['texts']} texts at [bold]{rate:.0f} a second[/bold], one connection: {actions}")
    console().print(f"remember p50 {times['p50_ms']:.1f} ms, p95 {times['p95_ms']:.1f} ms, commit included")


def show_recall(result: Mapping[str, Any]) -> None:
    before, after = result["load_average"]
    console().print(
        f"{result['model']}: {result['questions']} questions to {result['users']} users"
        f" with {result['memories']} memories in all"
    )
    for label, times in (("first asked", result["recall"]), ("asked again", result["recall_again"])):
        console().print(f"{label}: p50 [bold]{times['p50_ms']:.1f} ms[/bold], p95 {times['p95_ms']:.1f} ms")
    console().print(
        f"the machine: {result['processors']} processors, load average {before:.1f} before, {after:.1f} after"
    )


def show_worker(result: Mapping[str, Any]) -> None:
    console().print(f"{result['model']}, {result['texts']} texts in batches of {result['batch']}")
    console().print(
        f"worker {result['worker_per_second']:.1f} a second, bare model {result['bare_per_second']:.1f}:"
        f" [bold]{result['share']:.1%}[/bold]"
    )


def show_crash(result: Mapping[str, Any]) -> None:
    console().print(
        f"killed [bold]{result['rounds']} times[/bold] under {result['writers']} writers:"
        f" {result['acknowledged']} calls acknowledged, {result['lost']} lost,"
        f" {result['half_written']} half-written"
    )
    checked = result["indexes_checked"]
    console().print(
        f"amcheck: {'not there' if checked is None else f'{checked} indexes, all whole'};"
        f" slowest start after a crash {result['slowest_start_seconds']:.1f} s"
    )


def show_peers(result: Mapping[str, Any]) -> None:
    """A line a figure: ours, the peer's, and for times how many times faster this memory is."""
    peer = result["peer"]
    rows: list[tuple[str, ...]] = []
    if "locomo" in result:
        for group in sorted(result["locomo"]["ours"]["hit@5"]):
            shares = (result["locomo"][side]["hit@5"][group] for side in ("ours", "peer"))
            rows.append((f"LoCoMo Hit@5, {group}", *(f"{share:.1f}" for share in shares), ""))
        rows += [_compared(f"LoCoMo: {act}", result["locomo"], act) for act in ("store", "recall")]
    for figure in ("accuracy", "information_lost") if "gate" in result else ():
        shares = (result["gate"][side][figure] for side in ("ours", "peer"))
        shown = ("-" if share is None else f"{share:.1f}" for share in shares)
        rows.append((f"gate: {figure.replace('_', ' ')} %", *shown, ""))
    for size in result["sizes"]:
        label = f"{size['memories']:,} memories"
        rows.append(_compared(f"{label}: store", size, "store", "mean"))
        rows += [_compared(f"{label}: {act.replace('_', ' ')}", size, act) for act in size["ratios"]]
    if "writers" in result:
        for figure in ("texts", "acknowledged", "refused", "lost"):
            counts = (str(result["writers"][side][figure]) for side in ("ours", "peer"))
            rows.append((f"{result['writers']['processes']} writers: {figure}", *counts, ""))
    show_table(("", "engram-pg", f"{peer['name']} {peer['version']}", "times faster"), rows)
    console().print(f"vectors of {result['model']}, {result['dims']} dimensions; p50: the median")
    if not peer["text_index"]:
        console().print("the peer ran without its text index: the extension fts of DuckDB is missing")
    if "writers" in result and result["writers"]["peer"]["reason"]:
        console().print(f"the peer refused: {result['writers']['peer']['reason']}")


def _compared(label: str, measured: Mapping[str, Any], act: str, figure: str = "p50") -> tuple[str, ...]:
    ours, peer = (measured[side][act][f"{figure}_ms"] for side in ("ours", "peer"))
    return (f"{label} {figure} ms", f"{ours:.1f}", f"{peer:.1f}", f"{peer / ours:.1f}")


def _shown(column: str, value: float) -> str:
    if column == "questions":
        return str(int(value))
    return f"{value:.3f}" if column == "mrr" else f"{value:.1f}"

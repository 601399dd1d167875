"""What some families of models want before a text, by which they tell a question from a passage."""

from __future__ import annotations

import re

E5 = re.compile(r"(?i)(^|[^a-z0-9])e5[-_](small|base|large)(?!.*instruct)")


def known(name: str) -> dict[str, str]:
    """The options query_prefix and passage_prefix of a model by its name; none for most.

    The E5 family: Wang et al., "Text Embeddings by Weakly-Supervised Contrastive Pre-training", 2022.
    """
    return {"query_prefix": "query: ", "passage_prefix": "passage: "} if E5.search(name) else {}

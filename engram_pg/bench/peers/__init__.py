"""This memory beside another system's, on one machine: the same texts, the same vectors made before, the
same questions.

`run` measures; `ours` and `process` are the two sides, alike to it. The other system runs in a process of its
own, by a Python that may be another than this one, so that neither's libraries meet the other's.
"""

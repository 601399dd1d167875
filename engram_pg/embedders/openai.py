"""Models behind the embeddings API of OpenAI, which many servers speak."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from importlib import import_module
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from engram_pg.embedders import Model
from engram_pg.embedders.failures import Refused, Unavailable, told
from engram_pg.errors import ARGUMENT_INVALID, INSTALLATION, EngramError

if TYPE_CHECKING:
    import httpx

DEFAULT_URL = "https://api.openai.com/v1"
CONNECT_SECONDS = 5.0
ANSWER_SECONDS = 60.0
LARGEST_ANSWER = 256 * 2**20
"""Bytes. A thousand vectors of 4,000 numbers are about 80 MB."""
BUSY = {408, 409, 425, 429, 502, 503, 504, 529}
"""Answers that say nothing about the texts. Any other 5xx may be their fault."""


def endpoint(base_url: str | None, path: str = "/embeddings") -> str:
    """The address of an API. A base URL without a path means /v1. Raises EngramError."""
    parts = urlsplit((base_url or DEFAULT_URL).rstrip("/"))
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise EngramError(
            ARGUMENT_INVALID,
            "the base URL is not of the form http://host:port/v1",
            hint="--base-url http://127.0.0.1:8000/v1",
        )
    if parts.username or parts.password or parts.query:
        raise EngramError(
            ARGUMENT_INVALID,
            "the base URL holds a key, which would be stored in the database",
            hint="Set the key in the environment instead.",
        )
    return parts.geturl() + ("" if parts.path else "/v1") + path


class OpenAIEmbedder:
    """A model of a server. Options: `base_url`; `model`, its name there; `dimensions`, to ask for fewer;
    prefixes; `query_input_type` and `passage_input_type`, for a server that takes `input_type`; `timeout` in
    seconds.

    The key comes from ENGRAM_EMBEDDING_KEY, else OPENAI_API_KEY. Redirects are not followed. Safe to share
    between threads.
    """

    def __init__(self, model: Model) -> None:
        self.name = model.name
        self.dims = model.dims
        self._source = model.source
        self._options = dict(model.options)
        self._url = endpoint(self._options.get("base_url"))
        seconds = float(self._options.get("timeout") or ANSWER_SECONDS)
        self._client = client("ENGRAM_EMBEDDING_KEY", seconds)
        if not self.dims:
            self.dims = len(self.embed_query("dimensions"))

    def embed_passages(self, texts: Sequence[str]) -> list[list[float]]:
        return self._asked(texts, "passage")

    def embed_query(self, text: str) -> list[float]:
        return self._asked([text], "query")[0]

    def close(self) -> None:
        self._client.close()

    def _asked(self, texts: Sequence[str], side: str) -> list[list[float]]:
        prefix = str(self._options.get(f"{side}_prefix") or "")
        body: dict[str, Any] = {
            "model": self._source,
            "input": [prefix + text for text in texts],
            "encoding_format": "float",
        }
        if self._options.get("dimensions"):
            body["dimensions"] = int(self._options["dimensions"])
        if self._options.get(f"{side}_input_type"):
            body["input_type"] = self._options[f"{side}_input_type"]
        return _vectors(posted(self._client, self._url, body, "ENGRAM_EMBEDDING_KEY"), len(texts))


def client(key: str, seconds: float) -> httpx.Client:
    """A client that sends the key of this environment variable, else OPENAI_API_KEY, and waits so long for an
    answer.
    """
    library = _library()
    secret = os.environ.get(key) or os.environ.get("OPENAI_API_KEY")
    made: httpx.Client = library.Client(
        headers={"Authorization": f"Bearer {secret}"} if secret else {},
        timeout=library.Timeout(seconds, connect=min(CONNECT_SECONDS, seconds)),
    )
    return made


def posted(client: httpx.Client, url: str, body: dict[str, Any], key: str) -> httpx.Response:
    """The answer to a request. Raises Unavailable, or Refused with its status."""
    library = _library()
    try:
        answer = _whole(client, url, body)
    except library.ConnectError as error:
        raise Unavailable(f"no connection to {url}", "Start the server.") from error
    except library.TimeoutException as error:
        raise Unavailable(f"{url} did not answer in time", suspect=True) from error
    except (library.TransportError, library.DecodingError) as error:
        raise Unavailable(f"{url} broke off its answer ({type(error).__name__})", suspect=True) from error
    if answer.is_success:
        return answer
    said = f"{url} answered {answer.status_code}: {told(_reason(answer), _sent(client, body))}"
    if answer.status_code in BUSY or answer.is_server_error:
        raise Unavailable(said, retry_after=_retry_after(answer), suspect=answer.status_code not in BUSY)
    if answer.status_code in (401, 403):
        hint = f"Set {key}, or OPENAI_API_KEY, to a key that this server takes."
        raise Refused(said, hint, status=answer.status_code)
    raise Refused(said, "Check the name of the model and its URL.", status=answer.status_code)


def _whole(client: httpx.Client, url: str, body: dict[str, Any]) -> httpx.Response:
    """The answer with its body, which is neither endless nor slower to come than the answer itself may be."""
    with client.stream("POST", url, json=body) as answer:
        began, content = time.monotonic(), bytearray()
        for part in answer.iter_bytes():
            content += part
            if len(content) > LARGEST_ANSWER:
                raise Unavailable(f"{url} answered more than {LARGEST_ANSWER // 2**20} MB", suspect=True)
            if time.monotonic() - began > (client.timeout.read or ANSWER_SECONDS):
                raise Unavailable(f"{url} did not come to an end in time", suspect=True)
    headers = {name: value for name, value in answer.headers.items() if name == "retry-after"}
    whole: httpx.Response = _library().Response(answer.status_code, headers=headers, content=bytes(content))
    return whole


def _sent(client: httpx.Client, body: dict[str, Any]) -> list[str]:
    """What an answer may repeat: the texts, and the key."""
    given = body.get("input", [])
    return [*given, client.headers.get("authorization", "").removeprefix("Bearer ")]


def spoken_input_types(model: Model) -> dict[str, str]:
    """The options query_input_type and passage_input_type, if the server tells questions from passages by
    them: a text then gets two different vectors. Raises Unavailable.
    """
    probe = "a text to tell them apart"
    for passage in ("passage", "document"):
        types = {"query_input_type": "query", "passage_input_type": passage}
        embedder = OpenAIEmbedder(Model(model.name, model.provider, 1, {**model.options, **types}))
        try:
            question, answer = embedder.embed_query(probe), embedder.embed_passages([probe])[0]
        except Refused:
            continue
        finally:
            embedder.close()
        scale = max(map(abs, question))
        if max(abs(a - b) for a, b in zip(question, answer, strict=False)) > 0.05 * scale:
            return types
    return {}


def _library() -> Any:
    try:
        return import_module("httpx")
    except ImportError as error:
        raise EngramError(
            INSTALLATION,
            "models behind a server need httpx, which is not installed",
            hint="pip install httpx",
        ) from error


def _vectors(answer: httpx.Response, count: int) -> list[list[float]]:
    """The vectors of an answer in the order of the texts. Raises Refused for anything else."""
    try:
        entries = answer.json()["data"]
        ordered = sorted(entries, key=lambda entry: int(entry.get("index", 0)))
        vectors = [[float(number) for number in entry["embedding"]] for entry in ordered]
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as error:
        raise Refused("the server answered something that is no list of embeddings", final=False) from error
    if (
        len(vectors) != count
        or len({entry.get("index", place) for place, entry in enumerate(ordered)}) != count
    ):
        raise Refused(f"the server answered {len(vectors)} vectors for {count} texts", final=False)
    return vectors


def _reason(answer: httpx.Response) -> str:
    with suppress(ValueError, TypeError, KeyError, AttributeError, RecursionError):
        error = answer.json()["error"]
        return str(error["message"] if isinstance(error, dict) else error)
    return answer.reason_phrase or "no reason given"


def _retry_after(answer: httpx.Response) -> float | None:
    """Seconds of the header Retry-After, be it a number or a date; None without one that can be read."""
    given = answer.headers.get("retry-after", "")
    with suppress(ValueError):
        return max(0.0, float(given))
    with suppress(ValueError, TypeError):
        moment = parsedate_to_datetime(given)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return max(0.0, (moment - datetime.now(UTC)).total_seconds())
    return None

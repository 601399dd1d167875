"""The options that many commands share, and how they become a connection."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any

import typer

from engram_pg.client import Engram


def flag(*names: str, **settings: Any) -> Any:
    """An option without a value; some releases of typer would name its type."""
    return typer.Option(*names, metavar="", **settings)


given: dict[str, str] = {}
"""Which database the command line at hand names, by --dsn or --data-dir; what the environment names is left
out.
"""


def _noted(context: typer.Context, option: typer.CallbackParam, value: Any) -> Any:
    name = str(option.name)
    given.pop(name, None)
    source = context.get_parameter_source(name)
    if value is not None and source is not None and source.name == "COMMANDLINE":
        given[name] = str(value)
    return value


Dsn = Annotated[
    str | None,
    typer.Option(
        "--dsn",
        envvar="ENGRAM_DSN",
        help="Database to use instead of the embedded server.",
        show_envvar=True,
        callback=_noted,
    ),
]
DataDir = Annotated[
    Path | None,
    typer.Option(
        "--data-dir",
        envvar="ENGRAM_DATA_DIR",
        help="Folder of the embedded server.",
        show_envvar=True,
        callback=_noted,
    ),
]
User = Annotated[
    str, typer.Option("--user", "-u", envvar="ENGRAM_USER", help="Whose memory.", show_envvar=True)
]
Whoever = Annotated[
    str | None,
    typer.Option("--user", "-u", envvar="ENGRAM_USER", help="Whose memory; default.", show_envvar=True),
]
Tenant = Annotated[
    str | None,
    typer.Option("--tenant", envvar="ENGRAM_TENANT", help="Tenant, in multi-tenant mode.", show_envvar=True),
]
Json = Annotated[bool, flag("--json", help="Print JSON, for scripts.")]
MemoryId = Annotated[int, typer.Argument(help="The number that recall shows.", show_default=False)]


@dataclass(frozen=True)
class Place:
    """Which memory a command works on, as its options say."""

    dsn: str | None
    data_dir: Path | None
    named: str | None = None
    tenant: str | None = None

    @property
    def user(self) -> str:
        """Whose memory: who is named, else `default`."""
        return "default" if self.named is None else self.named

    def open(self) -> Engram:
        """The memory; the embedded server is started, with words on stderr, when it is needed."""
        from engram_pg import connecting
        from engram_pg.cli._output import installing, note

        with installing() as progress:
            connection = connecting.connect(self.dsn, self.data_dir, note=note, progress=progress)
        return Engram(user=self.user, tenant=self.tenant, connection=connection)


def on_memory(command: Callable[..., None]) -> Callable[..., None]:
    """Gives a command --user, --tenant, --dsn and --data-dir; it gets them as a Place, its first argument."""
    return _placed(command, {"user": Whoever, "tenant": Tenant, "dsn": Dsn, "data_dir": DataDir})


def on_database(command: Callable[..., None]) -> Callable[..., None]:
    """The same for a command that is about no user: --dsn and --data-dir."""
    return _placed(command, {"dsn": Dsn, "data_dir": DataDir})


def _placed(command: Callable[..., None], options: Mapping[str, Any]) -> Callable[..., None]:
    def keyword(name: str, kind: Any, default: Any) -> Parameter:
        return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=kind)

    _, *own = signature(command, eval_str=True).parameters.values()
    json = [one for one in own if one.name == "json"]
    shared = [keyword(name, kind, None) for name, kind in options.items()]
    every = [
        *(keyword(one.name, one.annotation, one.default) for one in own if one not in json),
        *shared,
        *(keyword(one.name, one.annotation, one.default) for one in json),
    ]

    @wraps(command)
    def run(**given: Any) -> None:
        place = {"named" if name == "user" else name: given.pop(name) for name in options}
        command(Place(**place), **given)

    run.__signature__ = Signature(every)  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in every}
    return run

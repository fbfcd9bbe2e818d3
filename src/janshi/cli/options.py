"""Commands from dataclasses: the fields of a dataclass are the options, their defaults and their help.

A command is a function of one frozen dataclass. `command` gives it the signature that typer reads, so that nothing is
written twice: the option's name is the field's, its default is the field's default, its help is in the field's metadata
(`option`, `argument`; a library's configuration writes ``field(default=…, metadata={"help": …})`` itself).

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True)
... class Greeting:
...     name: str = argument("Whom to greet.")
...     times: int = option("How often.", default=1, min=1)
>>> def greet(options: Greeting) -> None:
...     print(*[f"hello {options.name}"] * options.times)
>>> command(greet)(name="Riichi", times=2)
hello Riichi hello Riichi
"""

from __future__ import annotations

import dataclasses
import inspect
import math
from collections.abc import Callable, Sequence
from dataclasses import MISSING, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, get_args, get_type_hints

from janshi import built_in
from janshi.plugins import PluginError, import_file

if TYPE_CHECKING:
    from janshi.agents import Agent

#: Formats of records that are only read.
_READ_ONLY: Final = ("majsoul", "paipu", "riichi-city")
#: The formats of records that can be written: a help text need not import their readers.
RECORD_FORMATS: Final = tuple(name for name in built_in.RECORDS if name not in _READ_ONLY)

#: Help of the option ``--kita``.
KITA: Final = "Event of a North set aside in records in mjai: nukidora (the default) or kita."
#: Rules of matches without ``--rules``, if the named players can play them.
DEFAULT_RULES: Final = "tenhou-sanma"
#: Help of the option ``--rules`` of matches.
MATCH_RULES: Final = (
    f"Rule set: a preset, or path/to/file.py:NAME (default: {DEFAULT_RULES}, or what the named players can play)."
)

#: Help of the option ``--rules`` of commands that read records.
RECORD_RULES: Final = "Rules in place of those of the records: a preset, or path/to/file.py:NAME."

#: Help of the option ``--cluster``.
CLUSTER: Final = "Ray cluster to work on: local (all cores of this machine), or HOST:PORT of its head."

#: Keys of a field's metadata: its help, whether it is an argument, and typer's other parameters.
HELP: Final = "help"
_ARGUMENT: Final = "argument"
TYPER: Final = "typer"
NAMES: Final = "names"


def option(help_text: str, *names: str, default: Any = MISSING, **settings: Any) -> Any:
    """Return a field that is an option; ``names`` as ``--format`` where it is not called as the field."""
    metadata = {HELP: help_text, NAMES: names, TYPER: settings}
    if isinstance(default, list):
        return field(default_factory=lambda: list(default), metadata=metadata)
    return field(default=default, metadata=metadata)


def argument(help_text: str, *, default: Any = MISSING, **settings: Any) -> Any:
    """Return a field that is an argument."""
    return field(default=default, metadata={HELP: help_text, _ARGUMENT: True, TYPER: settings})


def is_argument(field_: dataclasses.Field[Any]) -> bool:
    """Return whether a field is an argument, not an option."""
    return bool(field_.metadata.get(_ARGUMENT))


def rules_named(name: str) -> Any:
    """Return rules by a preset's name, or of a file (``path/to/file.py:NAME``), which are known by their name then.

    Raises `RuleError` for unknown rules.
    """
    from janshi.core.errors import RuleError  # not for every command: it brings the compiler
    from janshi.games import GameError, register_rules, rules_of

    path, colon, attribute = name.rpartition(":")
    if not colon or not path.endswith(".py"):
        return rules_of(name)
    try:
        return register_rules(getattr(import_file(Path(path)), attribute))
    except AttributeError:
        raise RuleError(f"{path} has no rules {attribute!r}") from None
    except (PluginError, GameError) as error:
        raise RuleError(str(error)) from None


def rules_for(name: str | None, agents: Sequence[Agent], seats: int | None = None) -> Any:
    """Return the rules of ``--rules``, by default the first that these agents can play, ``seats`` of them.

    The first are `DEFAULT_RULES`, then those of their family, then those of other games. Raises `RuleError` for unknown
    rules.
    """
    from janshi.agents.protocol import supports
    from janshi.games import GAMES, relative_of

    default = rules_named(name or DEFAULT_RULES)
    if name is not None:
        return default
    relatives = [relative_of(default, players) for players in (2, 3, 4)]
    others = [next(iter(game.presets.values())) for game in GAMES.values()]
    for rules in (default, *(relative for relative in relatives if relative is not None), *others):
        if seats in (None, rules.players) and all(supports(agent, rules) for agent in agents):
            return rules
    return default


def command(work: Callable[[Any], None]) -> Callable[..., None]:
    """Return a function as typer wants it for one that takes a dataclass of options."""
    (parameter,) = inspect.signature(work).parameters
    options: type = get_type_hints(work)[parameter]

    def run(**values: Any) -> None:
        work(_made(options, values))

    parameters = sorted(_parameters(options), key=lambda read: read.default is not inspect.Parameter.empty)
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {read.name: read.annotation for read in parameters}
    run.__doc__ = work.__doc__
    run.__name__ = work.__name__
    return run


def _made(options: type, values: dict[str, Any]) -> Any:
    """An instance of a dataclass from values by name; fields that are dataclasses take theirs from the same."""
    hints = get_type_hints(options, include_extras=True)
    given = {}
    for field_ in dataclasses.fields(options):
        hint = hints[field_.name]
        if dataclasses.is_dataclass(hint) and isinstance(hint, type):
            given[field_.name] = _made(hint, values)
        elif field_.name in values:
            given[field_.name] = values[field_.name]
    return options(**given)


def _parameters(options: type) -> list[inspect.Parameter]:
    """Return typer's parameters, one for each field; a dataclass contributes those of its own fields."""
    hints = get_type_hints(options, include_extras=True)
    found: list[inspect.Parameter] = []
    for field_ in dataclasses.fields(options):
        hint = hints[field_.name]
        if dataclasses.is_dataclass(hint) and isinstance(hint, type):
            found += _parameters(hint)
        elif HELP in field_.metadata:
            found.append(_parameter(field_, hint))
    return found


def _parameter(field_: dataclasses.Field[Any], hint: Any) -> inspect.Parameter:
    import typer

    metadata = field_.metadata
    settings = dict(metadata.get(TYPER, {}))
    default: Any = field_.default
    factory: Any = field_.default_factory
    if default is MISSING and factory is not MISSING:
        default = factory()
    if default is MISSING:
        default = inspect.Parameter.empty
    names = metadata.get(NAMES, ())
    if float in (hint, *get_args(hint)):
        settings["callback"] = _finite
    described = (
        typer.Argument(help=metadata[HELP], **settings)
        if is_argument(field_)
        else typer.Option(*names, help=metadata[HELP], **settings)
    )
    return inspect.Parameter(
        field_.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[hint, described]
    )


def _finite(value: float | None) -> float | None:
    """Return the value of an option; raise typer's error for infinity and NaN, which no bound excludes."""
    import typer

    if value is not None and not math.isfinite(value):
        raise typer.BadParameter(f"{value} is not a finite number.")
    return value

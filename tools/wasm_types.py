"""TypeScript of the npm package's records, enumerations, rule sets and exported functions: see ``make_wasm.py``."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from importlib import import_module
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np

from janshi.compiling import Batched, Record, Rows, Workspace, dtype_of, zeros
from janshi.compiling.rules import Entry
from janshi.core.game import Game
from janshi.core.rules import NONE, write_rules
from janshi.encoders import Layout, encoder
from janshi.games import GAMES
from janshi.riichi.hands.faults import Fault
from janshi.riichi.hands.score import ScoreWorkspace
from janshi.riichi.hands.worth import LIMITS, ScoreNumbers
from janshi.riichi.records import building, model, ordering
from janshi.riichi.records.model import rules_of_flags
from janshi.riichi.sampling.dealing import Hidden
from janshi.riichi.sampling.progress import People, people
from janshi.riichi.sampling.tenpai import TenpaiHands
from janshi.riichi.say.events import RiichiProgress
from janshi.riichi.say.values import RiichiSayWorkspace
from janshi.say import say_of
from janshi.say.ends import EndsNumbers, HandEnd
from janshi.say.events import HIDDEN_FIELDS, NewEvents
from janshi.say.losses import DifferenceRow, LossesNumbers, LossNumbers, MeasuredRow
from janshi.say.names import MISTAKES
from janshi.say.reasons import TwoOptions
from janshi.say.records import AdviceNumbers, DecisionOptions, OwnHand
from janshi.say.words import plan_of
from janshi.sichuan.agents.efficient import SichuanWorkspace
from janshi.sichuan.hands.score import SichuanHand, Tools
from janshi.sichuan.rules.model import BOUNDS, CONFLICTS, SICHUAN
from janshi.sichuan.sampling.dealing import CHAINS, ROUNDS, HandCounts, HiddenTable, SampleNumbers
from janshi.sichuan.sampling.hidden import hand_counts
from janshi.sichuan.say.events import SichuanProgress
from janshi.sichuan.say.values import SichuanSayWorkspace
from janshi.web.pages import page_of
from janshi.worth.placement import PlacementWorkspace, PlaceShares

#: Modules whose enumerations are exported, by game.
ENUMERATIONS = {
    "riichi": (
        "janshi.riichi.actions",
        "janshi.riichi.state",
        "janshi.riichi.rules.yaku",
        "janshi.riichi.records.building",
        "janshi.riichi.records.replay_hand",
    ),
    "sichuan": ("janshi.sichuan.actions", "janshi.sichuan.rules.model", "janshi.sichuan.state"),
}
#: Types of numbers: the name in layouts, of one number in TypeScript, and of an array of them.
NUMBERS = {
    "int8": ("i8", "number", "Int8Array"),
    "uint8": ("u8", "number", "Uint8Array"),
    "bool": ("u8", "number", "Uint8Array"),
    "int16": ("i16", "number", "Int16Array"),
    "int32": ("i32", "number", "Int32Array"),
    "int64": ("i64", "bigint", "BigInt64Array"),
    "float32": ("f32", "number", "Float32Array"),
    "float64": ("f64", "number", "Float64Array"),
}
#: Type of the numbers of people's hands.
RIICHI_PEOPLE = "readonly { hands: readonly number[]; riichi: readonly number[] }[]"
#: Encoder of the networks of a game.
INPUTS = {"riichi": "table", "sichuan": "sichuan"}
#: What a hand within a game begins with besides points: fields of the state by their names in the package.
STARTS = {
    "riichi": {name: name for name in ("kyoku", "honba", "deposits", "dealer")},
    "sichuan": {"before": "hand_number", "dealer": "dealer"},
}
#: Type of what the fields of Sichuan's rules may be.
SICHUAN_FIELDS = (
    "Readonly<Record<string, "
    "{ choices?: Record<string, number>; bounds?: readonly [number, number, string]; optional?: boolean }>>"
)
#: Names of records that do not follow from their own.
RENAMED = {
    SichuanHand: "SichuanGivenHand",
    SichuanWorkspace: "SichuanEfficientWorkspace",
    RiichiSayWorkspace: "RiichiSay",
    SichuanSayWorkspace: "SichuanSay",
    RiichiProgress: "RiichiProgress",
    SichuanProgress: "SichuanProgress",
}
#: Records that become plain data.
SAID = (OwnHand, DecisionOptions, AdviceNumbers, NewEvents, EndsNumbers, LossNumbers, LossesNumbers)


def name_of(record: type) -> str:
    """Return the TypeScript name of a record: ``RiichiState``, or its own name for what games share."""
    owners = [name for name, game in GAMES.items() if record.__module__ == game.module]  # those of a plug-in
    game = owners[0] if owners else record.__module__.split(".")[1]
    return RENAMED.get(record, f"{game.capitalize() if game in GAMES else ''}{record.__name__}")


def fields_of(record: type[Record]) -> Iterator[tuple[str, str, int, int, type[Record] | None]]:
    """Yield a record's fields: name, type of number, offset, length (0: one), and the record of a nested one."""
    hints = get_type_hints(record, include_extras=True)
    for name, (dtype, offset, *_) in (dtype_of(record).fields or {}).items():
        hint = hints[name]
        inner = hint if isinstance(hint, type) else get_args(hint)[0]
        if get_origin(inner) is Rows:
            inner = get_args(inner)[0]
        nested = inner if isinstance(inner, type) and issubclass(inner, Record) else None
        length = int(np.prod(dtype.shape)) if dtype.shape else 0
        yield name, "" if nested else NUMBERS[dtype.base.name][0], offset, length, nested


def with_nested(records: Sequence[type[Record]]) -> list[type[Record]]:
    """Return records and all records in them, each once, inner ones first."""
    found: dict[type[Record], None] = {}
    for record in records:
        nested = [inner for *_, inner in fields_of(record) if inner is not None]
        found |= dict.fromkeys([*with_nested(nested), record])
    return list(found)


def interface(record: type[Record]) -> str:
    """Return the TypeScript interface of a record."""
    numbers = {code: (one, many) for code, one, many in NUMBERS.values()}
    meaning = (record.__doc__ or record.__name__).strip().splitlines()[0]
    lines = [f"/** {meaning} */", f"export interface {name_of(record)} {{"]
    for name, code, _, length, nested in fields_of(record):
        one, many = (name_of(nested), f"readonly {name_of(nested)}[]") if nested else numbers[code]
        lines.append(f"  readonly {name}: {many if length else one};")
    return "\n".join([*lines, "}"])


def layout(record: type[Record]) -> str:
    """Return a record's layout as an entry of a TypeScript object."""
    fields = {
        name: [name_of(nested) if nested else code, offset, length]
        for name, code, offset, length, nested in fields_of(record)
    }
    return f"  {name_of(record)}: {json.dumps({'size': dtype_of(record).itemsize, 'fields': fields})},"


def constant(name: str, value: Any, kind: str) -> str:
    """Return a TypeScript constant."""
    return f"export const {name}: {kind} = {json.dumps(value, ensure_ascii=False)};"


def enumerations(game: str) -> Iterator[str]:
    """Yield the enumerations of a game."""
    for module in map(import_module, ENUMERATIONS[game]):
        for value in vars(module).values():
            if isinstance(value, type) and issubclass(value, IntEnum) and value.__module__ == module.__name__:
                members = {member.name: int(member) for member in value}
                name = f"{game.capitalize()}{value.__name__}"
                yield f"/** {(value.__doc__ or '').strip().splitlines()[0]} */"
                yield f"export const {name} = {json.dumps(members)} as const;"


def rule_sets(game: Any) -> dict[str, Any]:
    """Return the fields of a game's presets as records store them, and what suffixes of names and lengths change."""

    def stored(rules: Any) -> dict[str, Any]:
        record: Any = zeros(game.state, 1)
        write_rules(rules, record["rules"])
        return {name: record["rules"][name][0].tolist() for name in record["rules"].dtype.names}

    def changes(rules: Any, others: Any) -> dict[str, Any]:
        before = stored(rules)
        return {field: value for field, value in stored(others).items() if value != before[field]}

    found = {}
    for name in game.presets:
        plain = game.preset(name)
        endings = {ending: changes(plain, game.preset(name + ending)) for ending in game.endings}
        page = page_of(plain)
        at = {length: page.at_length(plain, length) for length in page.lengths}
        lengths = {
            length: {"rules": rules.name, "changes": changes(game.preset(rules.name), rules)}
            for length, rules in at.items()
        }
        found[name] = {"fields": stored(plain), "endings": endings, "lengths": lengths}
    return found


def sichuan_fields() -> dict[str, Any]:
    """Return what each field of Sichuan's rules may be: one of choices, a number in bounds, else True or False."""
    found: dict[str, Any] = {}
    for field in dataclasses.fields(SICHUAN):
        value, bounds = getattr(SICHUAN, field.name), BOUNDS.get(field.name)
        if isinstance(value, IntEnum):
            found[field.name] = {"choices": {choice.name.lower(): int(choice) for choice in type(value)}}
        elif bounds is not None:
            found[field.name] = {"bounds": bounds, "optional": "None" in str(field.type)}
        elif field.name != "name":
            found[field.name] = {}
    return found


def sichuan_conflicts() -> list[Any]:
    """Return the values of Sichuan's rules that contradict one another, as records store them, and why."""
    stored = {None: NONE, False: 0, True: 1}
    return [[{name: stored[value] for name, value in values.items()}, reason] for values, reason in CONFLICTS]


def workspace_of(function: Batched | Entry[..., Any]) -> str | None:
    """Return the name of the record of scratch memory of a function; None without one."""
    parameters = function._parameters if isinstance(function, Batched) else []
    hints = [each.hint for each in parameters if each.is_supplied and issubclass(each.hint, Workspace)]
    return name_of(hints[0]) if hints else None


def game_data(game: Game, functions: Mapping[str, Batched | Entry[..., Any]]) -> dict[str, Any]:
    """Return what `Table` needs to know of a game; ``functions`` are the exported ones."""
    name = game.name
    said = say_of(game) if "say" in game.facets else None
    endings = getattr(import_module(game.state.__module__), "Ending", ())
    inputs = encoder(INPUTS[name]) if name in INPUTS else None
    own = {what.removeprefix(f"{name}_"): each for what, each in functions.items() if what.startswith(f"{name}_")}
    records = {"state": game.state, "view": game.view, "events": game.events}
    records |= {"rules": get_type_hints(game.state)["rules"], "progress": said.progress if said else None}
    return {
        "actions": [game.action_text(action) for action in range(game.actions)],
        "handOver": int(game.hand_over),
        "claim": page_of(game.preset(next(iter(game.presets)))).claim,
        "endings": {int(ending): game.ending_text(ending) for ending in endings if ending >= 0},
        "rules": rule_sets(game),
        "start": STARTS.get(name, {}),
        "records": {what: name_of(record) for what, record in records.items() if record},
        "workspaces": {what: found for what, each in own.items() if (found := workspace_of(each))},
        "inputs": list(inputs.shape) if inputs else [],
        "masks": inputs is not None and inputs.layout is Layout.MASKS,
        "dora": [said.dora.start, said.dora.stop] if said else [],
        "names": {table: [*names] for table, names in said.names.items()} if said else {},
    }


def signature(name: str, parameters: Sequence[str]) -> str:
    """Return the TypeScript type of a function."""
    return f"  {name}({', '.join(f'{each}: number' for each in parameters)}): number;"


def own_functions(parameters: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield the TypeScript types of the functions that games have under their own names and all call alike."""
    found: dict[str, list[Sequence[str]]] = {}
    for name, each in parameters.items():
        if (game := name.partition("_")[0]) in GAMES:
            found.setdefault(name.removeprefix(f"{game}_"), []).append(each)
    for what, alike in found.items():
        if len({len(each) for each in alike}) == 1:
            yield signature(what if len(alike) == len(GAMES) else f"{what}?", alike[0])


def counts_of_people(players: int) -> dict[str, list[int]]:
    """Return the numbers of people's hands: see `janshi.riichi.sampling.progress.People`."""
    (counts,) = np.asarray(people(players))
    return {name: counts[name].tolist() for name in ("hands", "riichi")}


def tenhou_rules() -> dict[int, str]:
    """Return the names of the rules of Tenhou's types of games, by the bits that decide the rules."""
    deciding = [flags for flags in range(model.KNOWN_FLAGS + 1) if not flags & ~model.RULE_FLAGS]
    return {flags: rules_of_flags(flags).name for flags in deciding}


def plan(record: type[Record]) -> str:
    """Return what to say of a record's fields, as an entry of a TypeScript object: see `janshi.say.words.Part`."""
    parts = [[part.field, part.key, part.kind, part.table, part.used, part.absent] for part in plan_of(record)]
    return f"  {name_of(record)}: {json.dumps(parts)},"


def write_types(
    path: Path, functions: Mapping[str, Batched | Entry[..., Any]], parameters: Mapping[str, Sequence[str]]
) -> None:
    """Write the module ``generated.ts`` about exported functions; ``parameters``: the names of those of each."""
    batches = [function for function in functions.values() if isinstance(function, Batched)]
    hints = [each.hint for function in batches for each in function._parameters]
    given = [hint for hint in hints if isinstance(hint, type) and issubclass(hint, Record)]
    more = [building.Building, ordering.Ordering, ScoreWorkspace, ScoreNumbers, People, TenpaiHands, Hidden, TwoOptions]
    more += [PlacementWorkspace, PlaceShares, HandEnd, MeasuredRow, DifferenceRow, LossesNumbers, EndsNumbers]
    more += [SichuanHand, Tools, HandCounts, HiddenTable, SampleNumbers]
    records = with_nested([*given, *more])
    names = [name_of(record) for record in records]
    doubled = {name for name in names if names.count(name) > 1}
    if doubled:
        raise ValueError(f"two records are named {', '.join(sorted(doubled))}")
    lines = [
        "// Written by tools/make_wasm.py from the package's records and rules.",
        "",
        *(interface(record) for record in records),
        "/** Records by name. */",
        "export interface Records {",
        *(f"  {name}: {name};" for name in names),
        "}",
        "/** Size of each record in bytes, and of its fields the type, offset and length (0: a single one). */",
        "export const LAYOUTS: Record<string, { size: number; fields: Record<string, [string, number, number]> }> = {",
        *(layout(record) for record in records),
        "};",
        "/** Functions of the compiled module; arrays are addresses in its memory. */",
        "export interface Exports {",
        "  memory: WebAssembly.Memory;",
        "  __heap_base: WebAssembly.Global;",
        *(signature(name, each) for name, each in parameters.items()),
        "}",
        "/** Functions of a game; those that only some games have are optional. */",
        "export interface GameFunctions {",
        *own_functions(parameters),
        "}",
        *(line for game in ENUMERATIONS for line in enumerations(game)),
        "/** A rule set's fields, as records store them. */",
        "export type RuleFields = Readonly<Record<string, number | readonly number[]>>;",
        "/** Games of the engine. */",
        f"export type Game = {' | '.join(map(json.dumps, GAMES))};",
        "/** Records of each game. */",
        "export interface GameRecords {",
        *(f"  {name}: {{ state: {name_of(game.state)}; view: {name_of(game.view)} }};" for name, game in GAMES.items()),
        "}",
        "/** A preset; lengths of its games: the name of the rules, and fields that differ from those of the name. */",
        "export interface RuleSet {",
        "  fields: RuleFields;",
        "  endings: Readonly<Record<string, RuleFields>>;",
        "  lengths: Readonly<Record<string, { rules: string; changes: RuleFields }>>;",
        "}",
        "/** What the package knows of a game. */",
        "export interface GameData {",
        "  actions: readonly string[];",
        "  handOver: number;",
        "  /** Phase in which a seat may claim another's tile. */",
        "  claim: number;",
        "  endings: Readonly<Record<string, string>>;",
        "  rules: Readonly<Record<string, RuleSet>>;",
        "  /** What a hand within a game begins with besides points: fields of the state. */",
        "  start: Readonly<Record<string, string>>;",
        "  records: Readonly<Record<string, keyof Records> & Record<'state' | 'view' | 'rules', keyof Records>>;",
        "  /** Scratch memory of functions. */",
        "  workspaces: Readonly<Record<string, keyof Records>>;",
        "  /** Shape of the networks' input; masks: written as one mask of the 34 kinds for each column. */",
        "  inputs: readonly number[];",
        "  masks: boolean;",
        "  /** Sources of han that are counted by tiles: the first, and the one after the last. */",
        "  dora: readonly number[];",
        "  /** Names of numbers by table. */",
        "  names: Readonly<Record<string, readonly string[]>>;",
        "}",
        constant("GAMES", {name: game_data(game, functions) for name, game in GAMES.items()}, "Record<Game, GameData>"),
        "/** What to say of a field: see `janshi.say.words.Part`. */",
        "export type Part = readonly [string, string, string, string, string, boolean];",
        "export const PLANS: Readonly<Record<string, readonly Part[]>> = {",
        *(plan(record) for record in with_nested(SAID)),
        "};",
        "/** Fields of events that only their actor, or their target, sees. */",
        constant("HIDDEN_FIELDS", HIDDEN_FIELDS, "Readonly<Record<string, readonly string[]>>"),
        "/** What each field of Sichuan's rules may be: one of choices, a number in bounds, else true or false. */",
        constant("SICHUAN_FIELDS", sichuan_fields(), SICHUAN_FIELDS),
        "/** Values of Sichuan's rules that contradict one another, and why. */",
        constant("SICHUAN_CONFLICTS", sichuan_conflicts(), "readonly (readonly [Record<string, number>, string])[]"),
        "/** Numbers of hands for samples without and with the exchange, by calls, discards and class. */",
        constant("SICHUAN_HANDS", np.asarray(hand_counts())[0]["counts"].tolist(), "readonly number[]"),
        "/** Walks by which samples are prepared. */",
        f"export const SICHUAN_WALKS = {json.dumps({'chains': CHAINS, 'rounds': len(ROUNDS)})} as const;",
        "/** Numbers of people's hands for samples, of three players, then of four. */",
        constant("RIICHI_PEOPLE", [counts_of_people(players) for players in (3, 4)], RIICHI_PEOPLE),
        "/** Kinds of mistakes. */",
        constant("MISTAKES", MISTAKES, "readonly string[]"),
        constant("LIMITS", LIMITS, "readonly string[]"),
        constant("FAULTS", [fault.text for fault in Fault], "readonly string[]"),
        "/** Faults of records of Riichi by their numbers, with the names of fields in braces. */",
        constant("ROW_FAULTS", [fault.text for fault in building.RowFault], "readonly string[]"),
        "/** Reasons why the events of a hand have no order, counted from −1 down. */",
        constant("ORDER_FAULTS", ordering.FAULTS, "readonly string[]"),
        "/** Names of the rules of Tenhou's types of games, by the bits of a type that decide them. */",
        constant("TENHOU_RULES", tenhou_rules(), "Readonly<Record<number, string>>"),
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")

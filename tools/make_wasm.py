"""Compile the engine of the npm package: `janshi.wasm`, the shanten tables, and the TypeScript of all records.

    python tools/make_wasm.py FOLDER

The rules are compiled by Numba as for Python, optimised and written for ``wasm32`` by LLVM (llvmlite), and linked by
LLD, which the PyPI package ``ziglang`` contains. ``npm run build`` in ``npm/`` runs this.
"""

from __future__ import annotations

import argparse
import gzip
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from numba.np.numpy_support import as_dtype
from wasm_types import INPUTS, write_types

from janshi.compiling import Batched, Int16, announce, batched, rule
from janshi.compiling.rules import Entry, bitcode_of
from janshi.core.shanten_tables import ShantenTables, shanten_tables
from janshi.encoders import encoder
from janshi.encoders.base import expand_row
from janshi.games import GAMES
from janshi.riichi.agents.efficient import LOOKS_AHEAD, EfficientWorkspace, efficient_action
from janshi.riichi.hands.score import _evaluate_all, _score_all
from janshi.riichi.hands.shanten import write_shanten, write_ukeire, write_waits
from janshi.riichi.placement import write_places
from janshi.riichi.play.declaring import declared_action
from janshi.riichi.play.steps import begin_hand as begin_riichi_hand
from janshi.riichi.records.building import add_rows, begin_building, conclude, show_ura
from janshi.riichi.records.ordering import order_rows
from janshi.riichi.records.replay_hand import replay_hands
from janshi.riichi.sampling.dealing import prepare_hidden, sample_hidden
from janshi.riichi.state import View
from janshi.say import say_of
from janshi.say.ends import sum_up
from janshi.say.losses import goes_on, loss_numbers, order_by_gain, summarise
from janshi.sichuan.agents.efficient import efficient_actions
from janshi.sichuan.hands.score import ukeire_of_record, value_all, worth_all
from janshi.sichuan.play.steps import begin_hand
from janshi.sichuan.records.replay import replay_hands as replay_sichuan_hands
from janshi.sichuan.sampling import dealing as sichuan_dealing

#: Features of WebAssembly that every browser since 2021 has.
FEATURES = "+bulk-memory,+mutable-globals,+nontrapping-fptoint,+sign-ext"
#: Bytes of the stack.
STACK = 1 << 20
#: Functions of a game that the class `Table` calls, and those of its facet ``"say"``.
OF_A_GAME = ("lay_walls", "begin_games", "next_hands", "step", "legal", "views", "event_logs", "play_randomly")
SAID = ("own", "question", "advice", "new_events", "ends", "stakes")


@rule
def efficient_riichi_action(view: View, tables: ShantenTables, workspace: EfficientWorkspace) -> Int16:
    """Return the action of the player `efficient`."""
    return efficient_action(view, tables, workspace, LOOKS_AHEAD)


def exported() -> dict[str, Batched | Entry[..., Any]]:
    """Return the functions of the module by their names; those of a game begin with its name."""
    functions: dict[str, Batched | Entry[..., Any]] = {}
    for name, game in GAMES.items():
        functions |= {f"{name}_{what}": getattr(game, what) for what in OF_A_GAME if getattr(game, what) is not None}
        if "say" in game.facets:
            say = say_of(game)
            functions |= {f"{name}_{what}": getattr(say, what) for what in SAID if getattr(say, what) is not None}
    functions |= {f"{name}_encode": encoder(each).entries[0] for name, each in INPUTS.items()}
    return functions | {
        "sum_up": sum_up,
        "goes_on": goes_on,
        "loss_numbers": loss_numbers,
        "order_by_gain": order_by_gain,
        "summarise": summarise,
        "expand_masks": batched(expand_row),
        "shanten": batched(write_shanten),
        "waits": batched(write_waits),
        "ukeire": batched(write_ukeire),
        "score": _evaluate_all,
        "score_numbers": _score_all,
        "riichi_begin_hands": batched(begin_riichi_hand),
        "riichi_efficient": batched(efficient_riichi_action),
        "riichi_declared": batched(declared_action),
        "riichi_places": write_places,
        "riichi_prepare_hidden": prepare_hidden,
        "riichi_sample_hidden": sample_hidden,
        "riichi_begin_building": begin_building,
        "riichi_add_rows": add_rows,
        "riichi_show_ura": show_ura,
        "riichi_conclude": conclude,
        "riichi_order_rows": order_rows,
        "riichi_replay_hands": replay_hands,
        "sichuan_begin_hands": batched(begin_hand),
        "sichuan_replay_hands": replay_sichuan_hands,
        "sichuan_read_hidden": sichuan_dealing.read_hidden,
        "sichuan_prepare_hidden": sichuan_dealing.prepare_hidden,
        "sichuan_sample_hidden": sichuan_dealing.sample_hidden,
        "sichuan_efficient": efficient_actions,
        "sichuan_values": value_all,
        "sichuan_worth": worth_all,
        "sichuan_ukeire": batched(ukeire_of_record),
    }


# ---------------------------------------------------------------------------------------------------------
# Machine code


def arguments_of(function: Batched | Entry[..., Any]) -> list[tuple[str, Any, str]]:
    """Return the native arguments of a function: name, Numba's type, and the name of the number of its rows.

    A `Batched` function has ``count`` rows and ``table_count`` tables; a plain entry has a number for each array.
    """
    signature = function.entry.signature().args
    if isinstance(function, Batched):
        parameters = function._parameters
        supplied = [each for each in parameters if each.is_supplied]
        names = [each.name for each in [*supplied, *function._given]] + ["which", "first", "last", "results"]
        rows = ["1"] * len(supplied) + ["table_count" if each.is_table else "count" for each in function._given]
        rows += ["count" if function._has_tables else "0", "", "", "count" if function._collects else "0"]
        return list(zip(names, signature, rows, strict=True))
    names = list(function.py_func.__code__.co_varnames[: function.py_func.__code__.co_argcount])
    return [(name, kind, f"{name}_rows") for name, kind in zip(names, signature, strict=True)]


class Wrapper:
    """The LLVM text of an exported function, which takes addresses and numbers of 32 bits and returns a double.

    It calls a native function, whose arrays are seven or more arguments.
    """

    def __init__(self, name: str, function: Batched | Entry[..., Any], native: Any) -> None:
        self.parameters: dict[str, str] = {}
        self._lines: list[str] = []
        values: list[str] = []
        for argument, kind, rows in arguments_of(function):
            if hasattr(kind, "ndim"):
                values += self._array(argument, kind, rows)
            elif rows == "" and argument in ("first", "last"):
                values.append("0" if argument == "first" else self._number("count"))
            elif str(kind) == "float64":
                self.parameters[argument] = "double"
                values.append(f"%{argument}")
            else:
                values.append(self._number(argument))
        types = [str(each.type) for each in native.arguments]
        passed = [self._cast(value, to) for value, to in zip(values, types[2:], strict=True)]
        declared = ", ".join(f"{kind} %{each}" for each, kind in self.parameters.items())
        self.text = "\n".join(
            [
                f'declare i32 @"{native.name}"({", ".join(types)})',
                f"define double @{name}({declared}) {{",
                "  %.result = alloca i64",
                "  %.failure = alloca ptr",
                "  store i64 0, ptr %.result",
                *self._lines,
                f'  %.status = call i32 @"{native.name}"(ptr %.result, ptr %.failure, {", ".join(passed)})',
                "  %.whole = load i64, ptr %.result",
                "  %.value = sitofp i64 %.whole to double",
                "  ret double %.value",
                "}",
            ]
        )

    def _computed(self, operation: str) -> str:
        """Return the result of an operation."""
        self._lines.append(f"  %.v{len(self._lines)} = {operation}")
        return f"%.v{len(self._lines) - 1}"

    def _number(self, text: str) -> str:
        """Return the 64-bit value of a parameter, or a constant."""
        if text.isdigit():
            return text
        self.parameters.setdefault(text, "i32")
        return self._computed(f"sext i32 %{text} to i64")

    def _array(self, name: str, kind: Any, rows: str) -> list[str]:
        """Return Numba's arguments of an array: two for its owner, number and size of items, data, shape, strides."""
        absent = rows == "0"
        if not absent:
            self.parameters[name] = "ptr"
        shape = [self._number(rows), *(self._number(f"{name}_{each}") for each in ("width", "depth")[: kind.ndim - 1])]
        itemsize = str(as_dtype(kind.dtype).itemsize)
        strides = [itemsize]
        for length in reversed(shape[1:]):
            strides.insert(0, self._computed(f"mul i64 {strides[0]}, {length}"))
        items = shape[0]
        for length in shape[1:]:
            items = self._computed(f"mul i64 {items}, {length}")
        return ["null", "null", items, itemsize, "null" if absent else f"%{name}", *shape, *strides]

    def _cast(self, value: str, to: str) -> str:
        """Return an argument with its type; booleans are narrower than numbers."""
        narrow = to in ("i1", "i8") and value.startswith("%")
        return f"{to} {self._computed(f'trunc i64 {value} to {to}') if narrow else value}"


def without_target(module: Any) -> str:
    """Return the text of a module without what is said about this machine."""
    lines = str(module).splitlines()
    return "\n".join(line for line in lines if not line.startswith(("target triple", "target datalayout")))


def object_of(functions: Mapping[str, Batched | Entry[..., Any]]) -> tuple[bytes, dict[str, list[str]]]:
    """Return an object file for wasm32 that defines functions, and the parameters of each."""
    module, natives = bitcode_of([function.entry for function in functions.values()])
    wrappers = {
        name: Wrapper(name, function, module.get_function(native))
        for (name, function), native in zip(functions.items(), natives, strict=True)
    }
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple("wasm32-unknown-unknown").create_target_machine(
        features=FEATURES, opt=3, reloc="static"
    )
    made = llvm.parse_assembly(without_target(module))
    made.link_in(llvm.parse_assembly("\n".join(each.text for each in wrappers.values())))
    made.triple, made.data_layout = machine.triple, str(machine.target_data)
    for defined in [*made.functions, *made.global_variables]:
        if not defined.is_declaration and defined.name not in functions:
            defined.linkage = "internal"
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
    builder.getModulePassManager().run(made, builder)
    made.verify()
    return machine.emit_object(made), {name: [*each.parameters] for name, each in wrappers.items()}


def link(code: bytes, target: Path, exports: Iterable[str]) -> None:
    """Link an object file into a module that imports nothing."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "janshi.o"
        file.write_bytes(code)
        options = ["--no-entry", "--strip-all", "--export=__heap_base", f"-zstack-size={STACK}"]
        options += [f"--export={name}" for name in exports]
        linker = [sys.executable, "-m", "ziglang", "wasm-ld"]
        subprocess.run([*linker, str(file), "-o", str(target), *options], check=True)


def main() -> None:
    """Write the files of the npm package."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="Folder of the files, made if needed.")
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    announce(lambda name: None)
    functions = exported()
    code, parameters = object_of(functions)
    link(code, folder / "janshi.wasm", functions)
    tables = np.asarray(shanten_tables()).tobytes()
    (folder / "shanten.bin.gz").write_bytes(gzip.compress(tables, 9, mtime=0))
    write_types(folder / "generated.ts", functions, parameters)
    for file in ("janshi.wasm", "shanten.bin.gz"):
        print(f"{file}: {(folder / file).stat().st_size:,} bytes")


if __name__ == "__main__":
    main()

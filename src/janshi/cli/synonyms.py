"""Suggestions for unknown commands and options: the closest name, or the one that other programs' words stand for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from janshi.registries import suggestion

#: Words of other programs by the command that they stand for.
_COMMANDS: Final = {
    "arena": "match tournament simulate sim duel battle 1v3",
    "compare": "evaluate eval benchmark versus vs test",
    "hand": "score shanten ukeire waits tenpai calculate calc yaku agari fu",
    "review": "analyze analyse analysis mortal report",
    "rate": "elo rating ratings ladder league leaderboard rank",
    "replay": "verify validate check",
    "convert": "parse read transform mjlog tenhou6",
    "crawl": "download fetch scrape log logs",
    "play": "serve server web gui ui table game watch start run",
    "mjai": "bot client riichienv",
    "agents": "players bots models engines list",
    "dataset": "preprocess data extract",
    "selfplay": "self-play generate",
    "train": "imitate supervised pretrain",
    "learn": "rl ppo reinforce improve finetune fine-tune",
    "export": "onnx quantize",
    "reproduce": "paper papers experiment",
    "playouts": "mcts search rollout rollouts",
    "show-observation": "observation obs encode features",
    "compile": "build install setup warmup",
}
#: Words of other programs by the option that they stand for, in commands that have it.
_OPTIONS: Final = {
    "--out": "-o --output --output-dir --outdir --save --dest",
    "--games": "-n --num --count --num-games --rounds --number",
    "--rules": "--rule --ruleset --preset --mode --game --variant",
    "--to": "--format --output-format --target --type",
    "--format": "--to --output-format --type",
    "--threads": "-j --jobs --workers --num-threads --parallel --cpus",
    "--agent": "--model --engine --bot --ai --player",
    "--by": "--model --engine --agent --reviewer",
    "--answer-limit": "--timeout --time-limit --limit",
    "--learning-rate": "--lr",
    "--seat": "--actor --target-actor --pov --player-id",
    "--seed": "--random-seed --wall-seed",
}


def meant_command(name: str, commands: Iterable[str]) -> str:
    """Return the end of a message that suggests a command for an unknown one; empty if none is close.

    >>> meant_command("match", ["arena"]), meant_command("arean", ["arena"]), meant_command("xyz", ["arena"])
    ('. Did you mean arena?', '. Did you mean arena?', '')
    """
    return _meant(name, commands, _COMMANDS)


def meant_option(name: str, options: Iterable[str]) -> str:
    """Return the end of a message that suggests one of a command's options for an unknown one.

    >>> meant_option("-o", ["--to", "--out"])
    '. Did you mean --out?'
    """
    return _meant(name, options, _OPTIONS)


def _meant(name: str, names: Iterable[str], words: Mapping[str, str]) -> str:
    known = list(names)
    synonym = next((meant for meant in words if meant in known and name.lower() in words[meant].split()), None)
    return suggestion(name, known) if synonym is None else f". Did you mean {synonym}?"

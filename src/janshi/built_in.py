"""The built-in objects by registry: names and addresses (``module:attribute``).

Only this table and the games' own packages name a game. A new game, encoder, network, agent, paper or format of records
is a new file and a line here. Installed packages name theirs by entry points of the same groups (`janshi.registries`).
"""

from __future__ import annotations

from typing import Any, Final

GAMES: Final = {
    "riichi": "janshi.riichi.game:RIICHI",
    "sichuan": "janshi.sichuan.game:SICHUAN_GAME",
}
#: What the rooms above the table use of a game, by game and facet: see `janshi.core.game.Game.facet`.
FACETS: Final = {
    "riichi": {
        "recorder": "janshi.riichi.records.recorder:RECORDER",
        "agents": "janshi.riichi.agents:AGENTS",
        "dataset": "janshi.riichi.dataset:DATASET",
        "drawing": "janshi.riichi.drawing:DRAWING",
        "environment": "janshi.riichi.environment:ENVIRONMENT",
        "hand": "janshi.riichi.hands.answer:TOOL",
        "luck": "janshi.riichi.luck.measuring:LUCK",
        "positions": "janshi.riichi.positions:hand_of_game",
        "observation": "janshi.riichi.drawing.observation:OBSERVATION",
        "outcomes": "janshi.riichi.outcomes:OUTCOMES",
        "page": "janshi.riichi.page:PAGE",
        "placement": "janshi.riichi.placement:PLACEMENT",
        "review": "janshi.riichi.review:REVIEW",
        "reviewers": "janshi.riichi.agents:REVIEWERS",
        "sampling": "janshi.riichi.sampling.hidden:SAMPLING",
        "say": "janshi.riichi.say:SAY",
    },
    "sichuan": {
        "recorder": "janshi.sichuan.records.live:RECORDER",
        "agents": "janshi.sichuan.agents:AGENTS",
        "drawing": "janshi.sichuan.drawing:DRAWING",
        "environment": "janshi.sichuan.environment:ENVIRONMENT",
        "hand": "janshi.sichuan.hands.answer:TOOL",
        "page": "janshi.sichuan.page:PAGE",
        "positions": "janshi.sichuan.positions:hand_of_game",
        "review": "janshi.sichuan.review.game:REVIEW",
        "reviewers": "janshi.sichuan.agents:REVIEWERS",
        "sampling": "janshi.sichuan.sampling.hidden:SAMPLING",
        "say": "janshi.sichuan.say:SAY",
    },
}
ENCODERS: Final = {
    "meowjong": "janshi.riichi.encoders.meowjong:MEOWJONG",
    "janshi": "janshi.riichi.encoders.janshi:JANSHI",
    "table": "janshi.riichi.encoders.table:TABLE",
    "gao-56": "janshi.papers.gao.encoder:GAO_56",
    "gao-68": "janshi.papers.gao.encoder:GAO_68",
    "gao-86": "janshi.papers.gao.encoder:GAO_86",
    "gao-sequence": "janshi.papers.gao.encoder:GAO_SEQUENCE",
    "long": "janshi.papers.long.encoder:LONG",
    "long-call": "janshi.papers.long.encoder:LONG_CALL",
    "sichuan": "janshi.sichuan.encoder:SICHUAN",
    "sichuan-dqn": "janshi.papers.sichuan.encoder:SICHUAN_DQN",
}
#: Options of environments in Gymnasium by id.
ENVIRONMENTS: Final[dict[str, dict[str, Any]]] = {
    "janshi/Sanma-v0": {"rules": "tenhou-sanma", "players": 3},
    "janshi/Riichi-v0": {"rules": "tenhou", "players": 4},
}
#: Classes of recorded games, which notebooks show as pages to step through.
RECORDED_GAMES: Final = ("janshi.riichi.records.model:RiichiGame",)
NETWORKS: Final = {
    "suits": "janshi.riichi.networks:SUIT_NETWORK",
    "policy": "janshi.riichi.networks:KIND_NETWORK",
    "outcomes": "janshi.riichi.networks:OUTCOME_NETWORK",
    "dense": "janshi.sichuan.networks:DENSE_NETWORK",
    "meowjong": "janshi.papers.meowjong.networks:KIND",
    "gao": "janshi.papers.gao.networks:KIND",
    "gao-sequence": "janshi.papers.gao.networks:SEQUENCE_KIND",
    "long": "janshi.papers.long.networks:KIND",
    "long-yaku": "janshi.papers.long.networks:YAKU_KIND",
    "sichuan-dqn": "janshi.papers.sichuan.networks:KIND",
}
#: Tasks of networks (`janshi.learn.tasks.Task`) that have another one than that of their game's dataset.
TASKS: Final = {
    "outcomes": "janshi.riichi.dataset.outcomes:OutcomeTask",
}
#: Agents of several games by name, and loaders by the form of a name; the games' packages and files have the others.
AGENTS: Final = {
    "random": "janshi.agents.random:RandomAgent",
    "heuristic:PUNG,RUN,FUTURE": "janshi.sichuan.agents.heuristic:LOADER",
    "mjai:COMMAND": "janshi.mjai.names:LOADER",
    "search:PLAYER": "janshi.rollout.search:LOADER",
    "path/to/file.py:ClassName": "janshi.agents.custom:LOADER",
    ".onnx files": "janshi.agents.onnx:LOADER",
    "folders of trained players": "janshi.agents.folders:LOADER",
}
#: Loads the player of a folder of networks; needs torch.
FOLDER_PLAYER: Final = "janshi.learn.players:load_player"
#: Players by what their networks answer, which ONNX files and folders name.
ANSWERS: Final = {
    "actions": "janshi.agents.policy:policy_player",
    "gao": "janshi.papers.gao.agent:GaoAgent.of",
    "long": "janshi.papers.long.agent:LongAgent.of",
    "meowjong": "janshi.papers.meowjong.player:player_of",
    "sichuan": "janshi.papers.sichuan.agent:player_of",
}
#: Files beside ``player.json`` in which earlier versions named the networks of a player, and what these answer.
FORMER_PLAYER_FILES: Final = {"gao.json": "gao", "long.json": "long", "five.json": "meowjong"}
PAPERS: Final = {
    "gao": "janshi.papers.gao.paper:PAPER",
    "long": "janshi.papers.long.paper:PAPER",
    "meowjong": "janshi.papers.meowjong.paper:PAPER",
    "sichuan": "janshi.papers.sichuan.paper:PAPER",
}
#: Formats of records, tried from last to first; the first accepts all remaining records.
RECORDS: Final = {
    "tenhou6": "janshi.riichi.records.tenhou6:FORMAT",
    "mjai": "janshi.riichi.records.mjai:FORMAT",
    "majsoul": "janshi.riichi.records.majsoul:FORMAT",
    "paipu": "janshi.riichi.records.paipu:FORMAT",
    "riichi-city": "janshi.riichi.records.riichi_city:FORMAT",
    "mjlog": "janshi.riichi.records.mjlog:FORMAT",
    "janshi-sichuan": "janshi.sichuan.records.jsonl:SICHUAN_FORMAT",
}
#: Functions that recognise links to records, by site.
LINKS: Final = {
    "tenhou": "janshi.riichi.records.crawl.links:find_tenhou",
    "mahjong-soul": "janshi.riichi.records.crawl.links:find_mahjong_soul",
    "riichi-city": "janshi.riichi.records.crawl.links:find_riichi_city",
}

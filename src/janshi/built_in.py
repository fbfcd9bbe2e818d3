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
RECORDED_GAMES: Final = ("janshi.riichi.records.model:Game",)
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
#: Agents of several games, or created by a function; `janshi.agents.names` finds the others.
AGENTS: Final = {
    "random": "janshi.agents.random:RandomAgent",
}
#: Sources of agents whose names are in no table, by the form of the name.
AGENT_SOURCES: Final = {
    "heuristic:PUNG,RUN,FUTURE": "janshi.sichuan.agents.heuristic:SOURCE",
    "mjai:COMMAND": "janshi.mjai.names:SOURCE",
    "search:PLAYER": "janshi.rollout.search:SOURCE",
    "path/to/file.py:ClassName": "janshi.agents.custom:SOURCE",
    ".onnx files": "janshi.agents.onnx:SOURCE",
    "folders of trained players": "janshi.agents.sources:FOLDER_SOURCE",
}
#: Loaders of players from folders, by the file that identifies the kind of networks.
PLAYER_FOLDERS: Final = {
    "gao.json": "janshi.papers.gao.agent:load_player",
    "long.json": "janshi.papers.long.agent:load_player",
    "sichuan.json": "janshi.papers.sichuan.agent:load_player",
    "five.json": "janshi.papers.meowjong.player:load_player",
    "player.json": "janshi.learn.players:load_player",
}
#: Constructors of players from ONNX files, by the kind of outputs that the file names.
ONNX_PLAYERS: Final = {
    "actions": "janshi.agents.onnx:policy_player",
    "meowjong": "janshi.papers.meowjong.agent:onnx_player",
}
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
    "janshi-sichuan": "janshi.sichuan.records:SICHUAN_FORMAT",
}
#: Functions that recognise links to records, by site.
LINKS: Final = {
    "tenhou": "janshi.riichi.records.links:find_tenhou",
    "mahjong-soul": "janshi.riichi.records.links:find_mahjong_soul",
    "riichi-city": "janshi.riichi.records.links:find_riichi_city",
}

"""Games of libriichi (package ``mjai``): play in its arena as its simulator does, and read records.

``python libriichi.py play GAMES COMMAND…`` runs the command once for each seat and prints the number of finished games
and of the bots' answers. An answer that the arena does not accept ends it with the arena's reason.
``python libriichi.py read FILE…`` follows records from every seat and prints the number of events.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from typing import Any


class Bot:
    """A bot process as an engine of libriichi: it gets its seat's new events as a list a line."""

    engine_type = "mjai-log"

    def __init__(self, name: str, command: list[str]) -> None:
        self.name = name
        self.player_ids: list[int] = []
        self.answers = 0
        self.heard = 0
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def set_player_ids(self, player_ids: list[int]) -> None:
        self.player_ids = player_ids

    def ask(self, events: list[dict[str, Any]]) -> str:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(events) + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def start_game(self, game: int) -> None:
        self.heard = 0
        self.ask([{"type": "start_game", "names": ["0", "1", "2", "3"], "id": self.player_ids[game]}])

    def react_batch(self, states: list[Any]) -> list[str]:
        (state,) = states
        seat = self.player_ids[state.game_index]
        events = json.loads(state.events_json)
        new = [hidden(event, seat) for event in events[self.heard :]]
        self.heard = len(events)
        self.answers += 1
        return [self.ask(new)]

    def end_kyoku(self, game: int) -> None:
        self.heard = 0
        self.ask([{"type": "end_kyoku"}])

    def end_game(self, game: int, scores: list[int]) -> None:
        self.ask([{"type": "end_game"}])


def hidden(event: dict[str, Any], seat: int) -> dict[str, Any]:
    """Return an event without the tiles that a seat may not see."""
    if event["type"] == "tsumo" and event["actor"] != seat:
        return {**event, "pai": "?"}
    if event["type"] == "start_kyoku":
        hands = [hand if owner == seat else ["?"] * 13 for owner, hand in enumerate(event["tehais"])]
        return {**event, "tehais": hands}
    return event


def read(files: list[str]) -> None:
    from mjai.mlibriichi.state import PlayerState

    events = 0
    for file in files:
        for seat in range(4):
            state = PlayerState(seat)
            with open(file, encoding="utf-8") as lines:
                for line in lines:
                    state.update(line)
                    events += 1
    print(json.dumps({"events": events}))


def play(games: int, command: list[str]) -> None:
    from mjai.mlibriichi.arena import Match

    bots = [Bot(str(seat), command) for seat in range(4)]
    finished = 0
    for seed in range(games):
        with tempfile.TemporaryDirectory() as folder:
            Match(log_dir=folder).py_match(*bots, seed_start=(seed, 0))
        finished += 1
    print(json.dumps({"games": finished, "answers": sum(bot.answers for bot in bots)}))
    for bot in bots:
        assert bot.process.stdin is not None
        bot.process.stdin.close()
        bot.process.wait(10)


if __name__ == "__main__":
    if sys.argv[1] == "play":
        play(int(sys.argv[2]), sys.argv[3:])
    else:
        read(sys.argv[2:])

"""Write the files that the page without a server loads beside its scripts: networks, the list of rules and players.

    python web/tools/offline.py FOLDER

``npm run build`` in ``web/offline/`` runs this.
"""

from __future__ import annotations

import dataclasses
import json
import shutil
import sys
from pathlib import Path
from typing import Any

from janshi.riichi.actions import ACTIONS
from janshi.riichi.outcomes import PARTS
from janshi.riichi.placement import PLACEMENT
from janshi.riichi.review.people import people_of
from janshi.riichi.rules import PRESETS, Length
from janshi.web.messages import Site
from janshi.web.table_manager import Setup, TableManager
from janshi.worth.placement import load_weights

ROOT = Path(__file__).resolve().parents[2]
PLAYERS = ROOT / "src" / "janshi" / "players"
#: Players that the page can seat.
SEATED = ("sl", "sl4", "sichuan", "efficient", "random")
#: Networks of players and models by name.
NETWORKS = {
    **{"sl": "sl-int8.onnx", "sl4": "sl4-int8.onnx", "sichuan": "sichuan.onnx"},
    **{f"outcomes-{players}": f"worth/outcomes-{players}.onnx" for players in (3, 4)},
}


def site() -> Site:
    """Return the rules and players that the page offers, as the server's ``GET /api/site``."""
    served = TableManager(Setup()).site()
    players = [player for player in served.players if player.name in SEATED]
    return served.model_copy(update={"players": players})


def losses() -> dict[str, Any]:
    """Return what losses need beside the networks: see ``LossData`` in ``web/offline/players.ts``."""
    parts = list(PARTS)
    by_length = {
        rules.players: {int(length): people_of(dataclasses.replace(rules, length=length)) for length in Length}
        for rules in (PRESETS["tenhou-sanma"], PRESETS["tenhou"])
    }
    return {"change": ACTIONS * sum(PARTS[part] for part in parts[: parts.index("change")]), "people": by_length}


def main() -> None:
    """Write the folder."""
    if len(sys.argv) != 2:
        sys.exit("offline: name the folder")
    folder = Path(sys.argv[1])
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "web" / "offline" / "static", folder)
    (folder / "site.json").write_text(site().model_dump_json(), encoding="utf-8")
    (folder / "losses.json").write_text(json.dumps(losses()), encoding="utf-8")
    for name, file in NETWORKS.items():
        shutil.copy(PLAYERS / file, folder / f"{name}.onnx")
    for players in (3, 4):
        (folder / f"placement-{players}.bin").write_bytes(load_weights(PLACEMENT.weights(players)).tobytes())


if __name__ == "__main__":
    main()

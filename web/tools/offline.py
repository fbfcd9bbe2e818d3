"""Write the files that the page without a server loads beside its scripts: networks, and the list of rules and players.

    python web/tools/offline.py FOLDER

``npm run build`` in ``web/offline/`` runs this.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from janshi.web.messages import Site
from janshi.web.table_manager import Setup, TableManager

ROOT = Path(__file__).resolve().parents[2]
#: Players that the page can seat.
SEATED = ("sl", "sl4", "sichuan", "efficient", "random")
NETWORKS = ("sl-int8.onnx", "sl4-int8.onnx", "sichuan.onnx")


def site() -> Site:
    """Return the rules and players that the page offers, as the server's ``GET /api/site``."""
    served = TableManager(Setup()).site()
    players = [player for player in served.players if player.name in SEATED]
    return served.model_copy(update={"players": players})


def main() -> None:
    """Write the folder."""
    if len(sys.argv) != 2:
        sys.exit("offline: name the folder")
    folder = Path(sys.argv[1])
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "web" / "offline" / "static", folder)
    (folder / "site.json").write_text(site().model_dump_json(), encoding="utf-8")
    for name in NETWORKS:
        shutil.copy(ROOT / "src" / "janshi" / "players" / name, folder)


if __name__ == "__main__":
    main()

/** Tiles of the exchange: three of one suit, chosen on the page and given together. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Ask } from "../messages";
import type { SeatState } from "../table/fold";
import { handTiles, type HandTile } from "../table/Hand";
import { discardOf, GIVEN } from "../table/keys";
import { ownOf } from "./fold";

export interface Exchange {
  /** True while tiles for the exchange are requested. */
  asked: boolean;
  /** Positions of the chosen tiles in the hand. */
  chosen: readonly number[];
  /** Number of tiles still to choose. */
  missing: number;
  /** True if a tile is chosen or can be. */
  can: (one: HandTile, at: number) => boolean;
  toggle: (at: number) => void;
  give: () => void;
}

/** `act` answers the pending decision; the server requests one tile after another. */
export function useExchange(ask: Ask | null, own: SeatState | undefined, act: (action: number) => void): Exchange {
  const asked = ask?.options.some((option) => option.name === "give") ?? false;
  const [chosen, setChosen] = useState<number[]>([]);
  const queue = useRef<string[]>([]);
  const wanted = GIVEN - (ownOf(own)?.aside.length ?? 0);
  useLayoutEffect(() => {
    if (ask === null) return; // an answer is on its way
    if (!asked) {
      queue.current = [];
      setChosen([]);
      return;
    }
    const next = queue.current.shift();
    const option = next === undefined ? undefined : discardOf(ask, next, false);
    if (option) act(option.action);
  }, [ask?.number, asked]);
  const tiles = own ? handTiles(own) : [];
  const suit = chosen.length > 0 ? tiles[chosen[0]!]?.tile[1] : undefined;
  const busy = queue.current.length > 0; // the chosen tiles are on their way, one after the other
  return {
    asked,
    chosen,
    missing: wanted - chosen.length,
    can: (one, at) =>
      chosen.includes(at) ||
      (ask !== null &&
        !busy &&
        chosen.length < wanted &&
        discardOf(ask, one.tile, false) !== undefined &&
        (suit === undefined || one.tile[1] === suit)),
    toggle: (at) =>
      setChosen(chosen.includes(at) ? chosen.filter((other) => other !== at) : [...chosen, at].slice(0, wanted)),
    give: () => {
      const [first, ...rest] = chosen.map((at) => tiles[at]!.tile);
      const option = ask && first !== undefined ? discardOf(ask, first, false) : undefined;
      if (chosen.length !== wanted || !option) return;
      queue.current = rest;
      setChosen([]);
      act(option.action);
    },
  };
}

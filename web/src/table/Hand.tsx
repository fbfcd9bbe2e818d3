/** The hand at the bottom, clickable or not. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useWords } from "../i18n";
import { Laid } from "./Board";
import type { SeatState } from "./fold";
import { spoken } from "./names";
import { Tile } from "./tiles";

export interface HandTile {
  tile: string;
  drawn: boolean;
}

interface Props {
  seat: SeatState;
  who: number;
  /** True if a tile can be chosen; never without `onPick`. */
  can?: (one: HandTile, at: number) => boolean;
  onPick?: (one: HandTile, at: number) => void;
  /** Called with the tile under the pointer or focus, or null. */
  onLook?: (one: HandTile | null) => void;
  /** Overlay of a tile (bars, marks) by its index from the left. */
  over?: (one: HandTile, at: number) => ComponentChildren;
  /** Further classes of a tile by its index. */
  mark?: (one: HandTile, at: number) => string;
}

/** Tiles of the hand from left to right. */
export function handTiles(seat: SeatState): HandTile[] {
  const held = seat.hand.map((tile) => ({ tile, drawn: false }));
  return seat.drawn === null ? held : [...held, { tile: seat.drawn, drawn: true }];
}

/** Move the focus among the tiles of a group that can be chosen, by ← → Home End. */
export function moveFocus(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>("button.hand-tile:not(:disabled)")];
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: buttons.length - 1 }[event.key];
  if (to === undefined || buttons.length === 0) return;
  event.preventDefault();
  buttons[(to + buttons.length) % buttons.length]?.focus();
}

export function Hand({ seat, who, can, onPick, onLook, over, mark }: Props) {
  const words = useWords();
  const touched = useRef(false);
  const [raised, setRaised] = useState<number | null>(null);
  useEffect(() => setRaised(null), [seat]);
  const tiles = handTiles(seat);
  const isVoid = (one: HandTile) => seat.void !== null && one.tile[1] === seat.void;

  /** Without hover, the first touch lifts the tile and shows its waits, the second discards it. */
  function press(one: HandTile, at: number): void {
    if (touched.current && raised !== at) {
      setRaised(at);
      onLook?.(one);
    } else {
      setRaised(null);
      onPick?.(one, at);
    }
  }

  return (
    <div class="own">
      <div
        class="own-tiles"
        role="group"
        aria-label={words.board.ownHand}
        onKeyDown={moveFocus}
        onMouseLeave={() => onLook?.(null)}
      >
        {tiles.map((one, at) => {
          const possible = onPick !== undefined && (can?.(one, at) ?? true);
          const raise = raised === at ? "raised" : "";
          const voided = isVoid(one) ? "void-tile" : "";
          const classes = `hand-tile ${one.drawn ? "drawn" : ""} ${raise} ${voided} ${mark?.(one, at) ?? ""}`;
          const key = one.drawn ? "drawn" : at;
          return onPick === undefined ? (
            <span key={key} class={classes}>
              <Tile name={one.tile}>{over?.(one, at)}</Tile>
            </span>
          ) : (
            <button
              key={key}
              type="button"
              class={classes}
              disabled={!possible}
              aria-label={words.board.discard(spoken(one.tile, words), one.drawn)}
              onPointerDown={(event) => void (touched.current = event.pointerType === "touch")}
              onKeyDown={() => void (touched.current = false)}
              onClick={() => press(one, at)}
              onMouseEnter={() => onLook?.(one)}
              onFocus={() => onLook?.(one)}
              onBlur={() => onLook?.(null)}
            >
              <Tile name={one.tile} silent>
                {over?.(one, at)}
              </Tile>
            </button>
          );
        })}
      </div>
      <Laid seat={seat} who={who} />
    </div>
  );
}

/** A reviewer's probabilities as bars over the tiles of the hand and on the calls. */
import { useWords } from "../i18n";
import type { Advice, Option } from "../messages";
import type { SeatState } from "../table/fold";
import { handTiles, type HandTile } from "../table/Hand";
import { Tile } from "../table/tiles";
import { isByTile } from "../table/keys";
import { alike, liked, optionOf, percent, shareOf } from "./explain";
import { Marks, Share } from "./marks";

interface Said {
  advice: Advice;
  options: Option[];
  done?: number | undefined;
}

/** Content and marks of `Hand`'s tiles. Only the first of equal tiles has a bar. */
export function tileBars({ advice, options, done }: Said, seat: SeatState) {
  const discards = options.filter(isByTile);
  const tiles = handTiles(seat);
  const of = (one: HandTile) =>
    discards.find((option) => option.tile === one.tile && (option.tsumogiri ?? false) === one.drawn);
  const first = (one: HandTile, at: number) =>
    at === tiles.findIndex((other) => other.tile === one.tile && other.drawn === one.drawn);
  return {
    over(one: HandTile, at: number) {
      const option = first(one, at) ? of(one) : undefined;
      return (
        option && (
          <TileBar
            share={shareOf(advice, option.action)}
            best={option.action === advice.best}
            done={option.action === done}
          />
        )
      );
    },
    mark(one: HandTile, at: number): string {
      if (discards.length === 0) return "";
      const option = of(one);
      if (!option) return "no-choice";
      if (!first(one, at)) return "";
      return `${option.action === advice.best ? "is-best" : ""} ${option.action === done ? "is-done" : ""}`;
    },
  };
}

function TileBar({ share, best, done }: { share: number; best: boolean; done: boolean }) {
  return (
    <span class="tile-bar">
      <Marks best={best} done={done} />
      {share >= 0.005 && <span class="tile-bar-number">{percent(share).replace(" %", "")}</span>}
      {share > 0 && <i class={best ? "best" : ""} style={{ "--share": share }} aria-hidden="true" />}
    </span>
  );
}

/** All options except discards, like buttons, with their probabilities. */
export function CallBars({ advice, options, done }: Said) {
  const words = useWords();
  const calls = liked(
    advice,
    options.filter((one) => !isByTile(one)),
  );
  if (calls.length === 0) return null;
  const was = done === undefined ? undefined : optionOf(options, done);
  return (
    <ul class="call-bars" aria-label={words.review.table.calls}>
      {calls.map((option) => {
        const best = option.action === advice.best;
        const tiles = option.name === "chi" ? (option.tiles ?? []) : [];
        return (
          <li key={option.action} class={best ? "best" : ""}>
            <Marks best={best} done={was !== undefined && alike(was, option)} />
            <span class="call-name">
              {words.calls[option.name]}
              {tiles.map((tile, at) => (
                <Tile key={at} name={tile} class="in-text" />
              ))}
            </span>
            <Share share={shareOf(advice, option.action)} best={best} />
          </li>
        );
      })}
    </ul>
  );
}

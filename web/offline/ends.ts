/** How hands end after an option, as reasons read it. */
import { type FiguresRow, NAMES, type OptionFigures } from "../../npm/dist/generated.js";
import type { Game } from "../../npm/dist/index.js";
import type { Estimate } from "../src/messages";

/** The end of a hand for the seat that decided: a `HandEnd` record. */
export type Outcome = Uint8Array;

/** Two figures of the same hands. */
export interface Figures {
  share: Estimate;
  mean: Estimate;
}

/** How hands end for a seat: see `janshi.rollout.ends.HandEnds`, and `OptionResult`. */
export interface HandEnds extends Record<Plain, Estimate> {
  dealIn: Estimate;
  drawPoints: Estimate;
  othersPoints: Estimate;
  sources: Map<string, Figures>;
  dealtTo: Map<number, Figures>;
  /** Without hands where options are compared by points. */
  place: Estimate;
  /** Rate of what no hand had, and share of what no won hand had. */
  never: Estimate;
  neverWon: Estimate;
}

type Plain = "win" | "value" | "han" | "price" | "draw" | "tenpai" | "others" | "points";

export function handEnds(game: Game, figures: OptionFigures, placed: boolean): HandEnds {
  const { win, value, han, price, draw, tenpai, others, points, worth } = figures;
  const groups = (rows: readonly FiguresRow[], count: number) =>
    rows.slice(0, count).map(({ key, share, average }): [number, Figures] => [key, { share, mean: average }]);
  const sources = groups(figures.sources, figures.sources_count);
  return {
    ...{ win, value, han, price, draw, tenpai, others, points },
    dealIn: figures.deal_in,
    drawPoints: figures.draw_points,
    othersPoints: figures.others_points,
    sources: new Map(sources.map(([source, both]) => [NAMES[game]["fan"]![source]!, both])),
    dealtTo: new Map(groups(figures.dealt_to, figures.dealt_to_count)),
    place: placed ? negated(worth) : { ...worth, count: 0 },
    never: figures.never,
    neverWon: figures.never_won,
  };
}

/** The points of a place are its negative number. */
export const negated = ({ value, low, high, count }: Estimate): Estimate => ({
  ...{ value: 0 - value, low: 0 - high, high: 0 - low, count },
});

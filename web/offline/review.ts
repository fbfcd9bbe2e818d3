/** Reviews of games: the TypeScript of the games' `review`. */
import type { Game, Janshi, RiichiView, Table } from "../../npm/dist/index.js";
import type { Advice, Option, Review } from "../src/messages";
import { judged, type Met, phaseOf, reportOf, type Take, type Watched } from "./decisions";
import { placesOf } from "./placement";
import type { Players } from "./players";
import { gameOf, type GameRecord, RecordError } from "./records";
import { replayRiichi } from "./riichi-replay";
import { replaySichuan } from "./sichuan-replay";
import { adviceAt, questionAt } from "./side";

/** How games are reviewed. */
interface Reviewing {
  replay: <T>(janshi: Janshi, game: never, seat: number, take: Take<T>) => Watched<T>;
  /** Whether discards that are safe against every riichi cost the same far from tenpai. */
  folds?: boolean;
  /** Expected final places between hands, by the weights of a model; without it points count. */
  places?: (janshi: Janshi, game: never, weights: Float32Array) => number[][];
}

export const REVIEWS: Partial<Record<Game, Reviewing>> = {
  riichi: { replay: replayRiichi, folds: true, places: placesOf },
  sichuan: { replay: replaySichuan },
};

const replay = <T>(janshi: Janshi, game: GameRecord, seat: number, take: Take<T>): Watched<T> =>
  REVIEWS[gameOf(game)]!.replay(janshi, game as never, seat, take);

/** Tables at the decisions of a seat. */
export const positionsOf = (janshi: Janshi, game: GameRecord, seat: number): Table<Game>[] =>
  replay(janshi, game, seat, (table) => table.copy()).taken;

/** An action and those of the same effect: a tile just drawn and the same tile from the hand. */
function equalActions(options: readonly Option[], action: number): number[] {
  const done = options.find((option) => option.action === action);
  const same = options.filter(({ name, tile }) => name === "discard" && name === done?.name && tile === done.tile);
  return [action, ...same.map((option) => option.action).filter((other) => other !== action)];
}

/** Discards safe against every riichi; none for a tenpai hand or without riichi. */
function safeDiscards({ candidates }: Pick<Advice, "candidates">): number[] {
  if (Math.min(...candidates.map((each) => each.shanten)) <= 0) return [];
  const safe = (of: (typeof candidates)[number]) => {
    const found = Object.values(of.safety);
    return found.length > 0 && found.every((each) => each === "safe");
  };
  return candidates.filter(safe).flatMap((each) => each.actions);
}

/** A decision as it is reviewed. */
function met(table: Table<Game>, done: number, hand: number, event: number): Met {
  const { seats } = table.view(table.actor) as RiichiView;
  const known = adviceAt(table);
  const { options } = questionAt(table);
  const folds = REVIEWS[table.game]!.folds ? safeDiscards(known) : [];
  return {
    hand,
    event,
    options,
    done,
    same: equalActions(options, done),
    alike: folds.includes(done) ? folds : [],
    phase: phaseOf(seats[table.actor]!.discards),
    input: table.encode(),
    known,
  };
}

/** The review of a seat's decisions. Throws `RecordError` for a record of which nothing can be replayed. */
export async function reviewOf(janshi: Janshi, players: Players, game: GameRecord, seat: number): Promise<Review> {
  const { places } = REVIEWS[gameOf(game)]!;
  const by = players.best({ game: gameOf(game), players: game.players });
  const { events, taken, notes } = replay(janshi, game, seat, met);
  if (!events.length) throw new RecordError(notes[0]!);
  const decisions = await judged(players, by, taken);
  return {
    source: "record",
    rules: game.rules,
    players: game.players,
    names: game.names,
    seat,
    by,
    events,
    decisions,
    report: reportOf(decisions),
    notes,
    places: places ? places(janshi, game as never, await players.placement(game.players)) : [],
    luck: [],
    plays_on: true,
    unit: places ? "places" : "points",
  };
}

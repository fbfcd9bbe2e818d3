/** Reviews of games: the TypeScript of the games' `review`. */
import { type Game, type Janshi, RiichiAction as Action, type Table } from "../../npm/dist/index.js";
import type { Advice, Review } from "../src/messages";
import { judged, type Met, phaseOf, reportOf, type Take, type Watched } from "./decisions";
import { placesOf } from "./placement";
import type { Players } from "./players";
import { type GameRecord, RecordError } from "./records";
import { replayRiichi } from "./riichi-replay";
import { replaySichuan } from "./sichuan-replay";
import { adviceAt, questionAt } from "./side";

function replay<T>(janshi: Janshi, game: GameRecord, seat: number, take: Take<T>): Watched<T> {
  if (game.game === "sichuan") return replaySichuan(janshi, game, seat, take);
  return replayRiichi(janshi, game, seat, take);
}

/** Tables at the decisions of a seat. */
export const positionsOf = (janshi: Janshi, game: GameRecord, seat: number): Table<Game>[] =>
  replay(janshi, game, seat, (table) => table.copy()).taken;

/** An action and those of the same effect: a tile just drawn and the same tile from the hand. */
function equalActions(drawn: number, action: number): number[] {
  if (action === Action.TSUMOGIRI) return [action, drawn];
  return action === drawn ? [action, Action.TSUMOGIRI] : [action];
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
  const view = table.view(table.actor);
  const known = adviceAt(table);
  const isRiichi = table.game === "riichi";
  const folds = isRiichi ? safeDiscards(known) : [];
  return {
    hand,
    event,
    options: questionAt(table).options,
    done,
    same: isRiichi ? equalActions(view.drawn, done) : [done],
    alike: folds.includes(done) ? folds : [],
    phase: phaseOf(view.seats[table.actor]!.discards),
    input: table.encode(),
    known,
  };
}

/** The review of a seat's decisions. Throws `RecordError` for a record of which nothing can be replayed. */
export async function reviewOf(janshi: Janshi, players: Players, game: GameRecord, seat: number): Promise<Review> {
  const by = players.best(game);
  const { events, taken, notes } = replay(janshi, game, seat, met);
  if (!events.length) throw new RecordError(notes[0]!);
  const decisions = await judged(players, by, taken);
  const isRiichi = game.game === "riichi";
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
    places: isRiichi ? placesOf(janshi, game, await players.placement(game.players)) : [],
    luck: [],
    plays_on: true,
    unit: isRiichi ? "places" : "points",
  };
}

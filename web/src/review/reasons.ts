/** Measured reasons in words: the figures of a loss, and where they come from. Sentences are texts as in `explain`. */
import type { Words } from "../i18n";
import type { Cause, Decision, Ends, Loss, Need, Reason } from "../messages";
import { partsOf } from "../table/games";
import type { TableState } from "../table/state";
import { gainOf, optionOf, percent, phrase, places, points, type Unit } from "./explain";

/** A measured decision at its table. */
export interface Measured {
  decision: Decision;
  loss: Loss;
  state: TableState;
  seat: number;
  unit: Unit;
}

/** Sources of han that are counted instead of being there or not. */
export const DORA: readonly string[] = ["dora", "ura-dora", "aka-dora"];
/** Points of limit hands of the dealer and of others, from mangan to yakuman, by ron or by the payments of three. */
const LIMITS = { dealer: [12000, 18000, 24000, 36000, 48000], other: [8000, 12000, 16000, 24000, 32000] };
/** Reasons that are prices of push or fold. */
const PRICES: readonly Reason["kind"][] = ["win", "value", "deal_in", "price"];

/** Points of a hand as text, in games of small values with a decimal. */
export function worth(count: number, unit: Unit): string {
  const shown = Number(count.toFixed(unit === "places" ? 0 : 1)) || 0; // not −0
  return unit === "places" ? points(shown) : shown.toFixed(1).replace("-", "\u2212");
}

/** A change of points as text. */
export function change(count: number, unit: Unit): string {
  return count > 0 ? `+${worth(count, unit)}` : worth(count, unit);
}

/** The reasons of a certain loss, one text each, without a final mark. */
export function reasonsOf(measured: Measured, words: Words): string[] {
  const { loss, unit } = measured;
  const text = words.reasons;
  const told = (reason: Reason) =>
    text.figures[reason.kind](...([reason.done, reason.best].map((one) => figure(reason.kind, one, unit)) as Two));
  const causes = (reason: Reason) => (reason.causes ?? []).map((cause) => causeOf(cause, measured, words));
  const prices = pricesOf(measured, words);
  const priced = prices === null ? [] : loss.reasons.filter((one) => PRICES.includes(one.kind));
  const all = loss.reasons.flatMap((one) => {
    if (!priced.includes(one)) return text.from(told(one), causes(one));
    return one === priced[0] ? [...prices!, ...priced.flatMap(causes)] : [];
  });
  return prices !== null && priced.length === 0 ? [...all, ...prices] : all;
}

type Two = [string, string];

function figure(kind: Reason["kind"], value: number, unit: Unit): string {
  if (kind === "win" || kind === "deal_in" || kind === "others") return percent(value);
  if (kind === "place") return places(value);
  return kind === "draw" ? change(value, unit) : worth(value, unit);
}

/** Push or fold: both options with what their wins bring and their deal-ins cost; null for other mistakes. */
function pricesOf({ decision, loss, unit }: Measured, words: Words): string[] | null {
  const ends = loss.ends ?? [];
  if ((loss.kind !== "pushed" && loss.kind !== "folded") || ends.length < 2) return null;
  const price = (share: number, each: number | null) =>
    each === null
      ? words.reasons.noPrice
      : words.reasons.price(worth(share * each, unit), `${(100 * share).toFixed(1)} %`, worth(each, unit));
  return [decision.done, decision.advice.best].map((action, at) => {
    const option = optionOf(decision.options, action);
    const { win, value, deal_in, price: cost } = ends[at]!;
    return words.reasons.prices(option ? phrase(option, words) : "", price(win, value), price(deal_in, cost));
  });
}

/** A cause as a part of a sentence. */
function causeOf(cause: Cause, measured: Measured, words: Words): string {
  const text = words.reasons.causes;
  const { decision, state } = measured;
  const game = partsOf(state);
  const [done, best] = [cause.done ?? 0, cause.best ?? 0];
  const name = state.names[cause.seat ?? -1] ?? "";
  switch (cause.kind) {
    case "yakuless":
    case "furiten":
      return text[cause.kind];
    case "shanten":
      return text.shanten(words.review.shanten(done), words.review.shanten(best));
    case "wait": {
      const [own, other] = [decision.done, decision.advice.best].map((action) => waitOf(decision, action));
      return text.wait(text.tiles(done, own!), text.tiles(best, other!));
    }
    case "ukeire":
      return text.ukeire(done, best);
    case "yaku": {
      const source = game.source(cause.name ?? "", words);
      if (DORA.includes(cause.name ?? "")) return text.dora(source, done.toFixed(1), best.toFixed(1));
      return text.yaku(source, percent(done), percent(best));
    }
    case "han":
      return text.han(game.han(tenths(done), words), game.han(tenths(best), words));
    case "seat":
      return text.seat(name, percent(done), percent(best));
    case "tenpai":
      return text.tenpai(percent(done), percent(best));
    case "safety": {
      const tiles = [decision.done, decision.advice.best].map(
        (action) => optionOf(decision.options, action)?.tile ?? "",
      );
      const levels = (cause.safety ?? []).map((level, at) => `[${tiles[at]}]${words.review.safetyIs[level]}`);
      return text.safety(name, levels);
    }
    case "fixes": {
      const action = cause.done == null ? decision.advice.best : decision.done;
      const option = optionOf(decision.options, action);
      return text.fixes(option ? words.review.actions[option.name] : "", placeOf(cause.done ?? best, words));
    }
    case "needs":
      return cause.need ? needOf(cause.need, measured, words) : "";
  }
}

/** The tiles of the wait after an action that are not all seen. */
function waitOf({ advice, options }: Decision, action: number): string {
  const option = optionOf(options, action);
  const gain = option && gainOf(advice, options, option);
  return gain?.shanten !== 0 ? "" : gain.accepts.flatMap(({ tile, left }) => (left > 0 ? `[${tile}]` : [])).join("");
}

const tenths = (count: number): number => Number(count.toFixed(1));

const placeOf = (place: number, words: Words): string => words.reasons.places[place - 1] ?? "";

/** What a hand must be worth for a place; a way that no hand can take is left out. */
function needOf(need: Need, { state, seat }: Measured, words: Words): string {
  const text = words.reasons.needs;
  const place = placeOf(need.place, words);
  const limits = LIMITS[seat === state.dealer ? "dealer" : "other"];
  /** `paid`: by ron or by the payments of three, whose sums are those of limit hands. */
  const told = (count: number, paid: boolean) => {
    const limit = paid ? words.result.limits[1 + limits.indexOf(count)] : "";
    return limit ? text.limit(limit) : text.points(points(count));
  };
  const ways = [
    need.ron === null ? "" : text.ron(told(need.ron, true)),
    need.direct === null || need.direct === need.ron ? "" : text.direct(told(need.direct, true), place),
    need.tsumo === null ? "" : text.tsumo(told(need.tsumo, state.players === 4)),
  ].filter(Boolean);
  return ways.length > 0 ? words.reasons.causes.needs(place, ways) : words.reasons.causes.never(place);
}

/** The ends of the options of a loss: of the choice taken and of the reviewer's. */
export function endsOf(decision: Decision, loss: Loss): { action: number; ends: Ends }[] {
  const actions = [decision.done, decision.advice.best];
  return (loss.ends ?? []).map((ends, at) => ({ action: actions[at]!, ends }));
}

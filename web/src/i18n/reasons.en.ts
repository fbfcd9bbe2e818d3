/** English texts of measured reasons: what a choice costs, where it comes from, and how the hand ends after each option. */
export const reasonsEn = {
  /** All reasons as one text. */
  all: (reasons: string[]) => `${reasons.join("; ").replace(/^\p{Lower}/u, (first) => first.toUpperCase())}.`,
  /** A figure with its causes. */
  from: (figure: string, causes: string[]) => [figure, causes.join(", ")].filter(Boolean).join(": "),
  figures: {
    win: (done: string, best: string) => `wins ${done} instead of ${best}`,
    value: (done: string, best: string) => `a win is worth ${done} points instead of ${best}`,
    deal_in: (done: string, best: string) => `deals in ${done} instead of ${best}`,
    price: (done: string, best: string) => `a deal-in costs ${done} points instead of ${best}`,
    draw: (done: string, best: string) => `a draw brings ${done} points instead of ${best}`,
    others: (done: string, best: string) => `others win ${done} instead of ${best}`,
    points: (done: string, best: string) => `the hand brings ${done} points instead of ${best}`,
    place: (done: string, best: string) => `mean final place ${done} instead of ${best}`,
  },
  /** Push or fold: what the wins and deal-ins of an option bring and cost. */
  prices: (option: string, won: string, paid: string) => `${option}: wins are worth ${won}, deal-ins cost ${paid}`,
  price: (points: string, share: string, each: string) => `${points} points (${share} × ${each})`,
  noPrice: "nothing",
  causes: {
    yakuless: "the wait has no yaku for a ron",
    furiten: "the hand is furiten",
    shanten: (done: string, best: string) => `${done} instead of ${best}`,
    wait: (done: string, best: string) => `waits for ${done} instead of ${best}`,
    tiles: (count: number, tiles: string) => `${count} ${count === 1 ? "tile" : "tiles"}${tiles && ` (${tiles})`}`,
    ukeire: (done: number, best: number) => `ukeire of ${done} ${done === 1 ? "tile" : "tiles"} instead of ${best}`,
    yaku: (name: string, done: string, best: string) => `${name} in ${done} of the wins instead of ${best}`,
    dora: (name: string, done: string, best: string) => `${done} ${name} a win instead of ${best}`,
    han: (done: string, best: string) => `${done} a win instead of ${best}`,
    seat: (name: string, done: string, best: string) => `deal-ins to ${name} ${done} instead of ${best}`,
    safety: (name: string, levels: string[]) => `against ${name} ${levels.join(" and ")}`,
    tenpai: (done: string, best: string) => `tenpai in ${done} of the draws instead of ${best}`,
    fixes: (action: string, place: string) => `the ${action} fixes ${place} place`,
    needs: (place: string, ways: string[]) => `${place} place needs ${ways.join(" or ")}`,
    never: (place: string) => `no hand reaches ${place} place`,
  },
  places: ["first", "second", "third", "fourth"],
  /** Worth of a hand that reaches a place. */
  needs: {
    limit: (name: string) => name.toLowerCase(),
    points: (points: string) => `${points} points`,
    ron: (worth: string) => `${worth} by ron`,
    direct: (worth: string, place: string) => `${worth} by ron from ${place} place`,
    tsumo: (worth: string) => `${worth} by tsumo`,
  },
  ends: {
    title: "How the hand ends",
    figure: "Figure",
    win: "Wins",
    value: "A win",
    yaku: "Yaku",
    tiles: "Wins on",
    dealIn: "Deals in",
    to: "To",
    draw: "Draws",
    tenpai: (share: string) => `tenpai ${share}`,
    others: "Others win",
    points: "Points",
    place: "Place",
  },
};

export type ReasonWords = typeof reasonsEn;

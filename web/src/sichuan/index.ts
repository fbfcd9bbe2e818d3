import { PLAIN, register } from "../table/games";
import { hideSichuan, ownOf, SICHUAN_FOLDS, tableOf } from "./fold";
import {
  Aside,
  ending,
  fansOf,
  sichuanSeat,
  SichuanInfo,
  SichuanMark,
  SichuanResult,
  sichuanTold,
  WonBadge,
} from "./parts";
import { TERMS } from "./terms";

register("sichuan", {
  ...PLAIN,
  folds: SICHUAN_FOLDS,
  Info: SichuanInfo,
  Mark: SichuanMark,
  Badge: WonBadge,
  Before: Aside,
  Result: SichuanResult,
  terms: TERMS,
  round: (state, words) => words.hand((tableOf(state)?.number ?? 0) + 1),
  roundMark: (state) => `${(tableOf(state)?.number ?? 0) + 1}`,
  ending,
  seat: sichuanSeat,
  place: (seat, words) => (seat === 0 ? words.sichuan.dealer : String(seat + 1)),
  told: sichuanTold,
  value: (worth, words) => words.sichuan.points(worth.points),
  sources: (worth, words) =>
    fansOf(
      worth.fans.map((one) => [one.name, one.fan] as const),
      words,
    ),
  source: (name, words) => words.sichuan.fans[name] ?? name,
  han: (count, words) => words.sichuan.fan(count),
  open: (state) => tableOf(state)?.settlement != null,
  hide: hideSichuan,
  out: (seat) => ownOf(seat)?.won != null,
  wonOn: (state, who) =>
    state.seats.some((seat) => {
      const won = ownOf(seat)?.won;
      return won?.target === who && won.tile === state.offer?.tile;
    }),
});

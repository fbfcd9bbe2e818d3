import "../games";
import { expect, test } from "vitest";
import { LANGUAGES, type Words } from "../i18n";
import type { TermName } from "../i18n/terms.en";
import { partsOf } from "./games";
import { splitAtTerms } from "./split";

const riichi = partsOf({ game: "riichi" }).terms;
const sichuan = partsOf({ game: "sichuan" }).terms;
const SENTENCES: [readonly TermName[], (words: Words) => string, TermName[]][] = [
  [riichi, ({ review }) => review.why.would("[3p]", "63 %", review.shanten(0)), ["tenpai"]],
  [riichi, ({ review }) => review.why.would(`${review.actions["kyuushu_kyuuhai"]}`, "63 %", ""), ["kyuushu"]],
  [riichi, ({ review }) => review.why.same("[9s]", `${review.shanten(2)} ${review.furiten}`), ["shanten", "furiten"]],
  [riichi, ({ review }) => review.why.against("Aya", `[1p]${review.safetyIs.suji}`), ["riichi", "suji"]],
  [riichi, ({ review }) => review.why.risks("[1p]", "5 %", "[9s]", "1 %"), ["dealIn"]],
  [riichi, ({ reasons }) => reasons.all([reasons.figures.deal_in("5 %", "1 %")]), ["dealIn"]],
  [riichi, ({ review }) => review.loss.kinds.declaration!, ["riichi", "dama"]],
  ...(["chi", "pon", "kita", "ron", "tsumo"] as const).map((call): (typeof SENTENCES)[number] => [
    riichi,
    ({ review }) => review.why.win(review.actions[call]),
    [call === "chi" ? "chii" : call],
  ]),
  ...(["daiminkan", "ankan", "kakan"] as const).flatMap((call): typeof SENTENCES => [
    [riichi, ({ review }) => review.why.win(review.actions[call]), ["kan"]],
    [sichuan, (words) => words.review.why.win(words.sichuan.actions[call]), ["kong"]],
  ]),
  [sichuan, ({ review }) => review.why.would(review.actions.void_m, "63 %", ""), ["voidSuit"]],
  [sichuan, ({ review }) => review.why.would(review.actions.give, "63 %", ""), ["exchange"]],
  [sichuan, (words) => words.sichuan.hint.safe("[1p]", "Aya"), ["voidSuit"]],
  [sichuan, ({ sichuan: { fans, fan } }) => `${fans["golden_wait"]} ${fan(1)}`, ["goldenWait", "fan"]],
  [sichuan, ({ sichuan: { fans } }) => fans["root"]!, ["root"]],
  [sichuan, ({ sichuan: { result } }) => result.pig, ["flowerPig"]],
];

test.each(Object.entries(LANGUAGES))("terms of sentences are found, and no text is lost (%s)", (_, words) => {
  for (const [terms, sentence, expected] of SENTENCES) {
    const text = sentence(words);
    const parts = splitAtTerms(text, terms, words);
    expect(parts.map((part) => part.text).join("")).toBe(text);
    expect(parts.flatMap((part) => part.term ?? []).sort(), text).toEqual([...expected].sort());
  }
});

test("only the first occurrence of a term is marked", () => {
  const parts = splitAtTerms("1-shanten, 2-shanten.", riichi, LANGUAGES.en);
  expect(parts.map((part) => part.text)).toEqual(["1-", "shanten", ", 2-shanten."]);
});

test("a term inside a longer word is not marked", () => {
  expect(splitAtTerms("Against Ponting, Aaron and Kano.", riichi, LANGUAGES.en)).toHaveLength(1);
});

test("each written form of a game belongs to one term", () => {
  for (const words of Object.values(LANGUAGES))
    for (const terms of [riichi, sichuan]) {
      const forms = terms.flatMap((term) => words.terms[term][0].split("|"));
      expect(new Set(forms).size).toBe(forms.length);
    }
});

test("every term belongs to a game", () => {
  expect([...new Set([...riichi, ...sichuan])].sort()).toEqual(Object.keys(LANGUAGES.en.terms).sort());
});

/** Terms of a game in its sentences. */
import type { Words } from "../i18n";
import type { TermName } from "../i18n/terms.en";

/** A sentence split at the first occurrence of each term: text, and the term that the text is. */
export function splitAtTerms(
  sentence: string,
  terms: readonly TermName[],
  words: Words,
): { text: string; term: TermName | null }[] {
  const forms = new Map(terms.flatMap((term) => words.terms[term][0].split("|").map((form) => [form, term] as const)));
  const longestFirst = [...forms.keys()].sort((a, b) => b.length - a.length).join("|");
  const pattern = new RegExp(`(?<!\\p{Script=Latin})(?:${longestFirst})(?!\\p{Script=Latin})`, "giu");
  const left = new Set(terms);
  const parts: { text: string; term: TermName | null }[] = [];
  let from = 0;
  for (const { 0: text, index } of sentence.matchAll(pattern)) {
    const term = forms.get(text.toLowerCase());
    if (term === undefined || !left.delete(term)) continue;
    parts.push({ text: sentence.slice(from, index), term: null }, { text, term });
    from = index + text.length;
  }
  return [...parts, { text: sentence.slice(from), term: null }].filter((part) => part.text !== "");
}

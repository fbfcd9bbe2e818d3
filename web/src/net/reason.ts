import type { Words } from "../i18n";

/** Why a request failed, in words; without an answer browsers throw a `TypeError`. */
export function reasonOf(error: unknown, words: Words): string {
  return error instanceof TypeError ? words.shell.unreachable : (error as Error).message;
}

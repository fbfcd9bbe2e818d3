/** Error of a call with wrong arguments; nothing has changed. */
export class JanshiError extends Error {
  override readonly name = "JanshiError";
}

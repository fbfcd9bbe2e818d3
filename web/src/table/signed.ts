/** A number with a sign, with a typographic minus. */
export function signed(value: number, digits = 0): string {
  const text = Math.abs(value).toFixed(digits);
  return value > 0 ? `+${text}` : value < 0 ? `−${text}` : text;
}

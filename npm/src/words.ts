import { LAYOUTS, type Part, PLANS, type Records } from "./generated.js";
import { readField, sizeOf } from "./records.js";

/** Names of numbers by table. */
export type Names = Readonly<Record<string, readonly string[]>>;

/** A number that is left out, where its plan says that it may be. */
const ABSENT = -128;

/** Returns the fields of a filled record as plain data: see `janshi.say.words`. */
export function inWords(
  record: keyof Records,
  buffer: ArrayBuffer,
  address: number,
  names: Names,
): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const part of PLANS[record]!) {
    const [field, key, kind] = part;
    const [type, offset] = LAYOUTS[record]!.fields[field]!;
    if (kind === "record") Object.assign(found, inWords(type as keyof Records, buffer, address + offset, names));
    else {
      const value = valueOf(record, part, buffer, address, names);
      if (value !== undefined) found[key] = value;
    }
  }
  return found;
}

/** The value of one field; undefined if it is left out. */
function valueOf(record: keyof Records, part: Part, buffer: ArrayBuffer, address: number, names: Names): unknown {
  const [field, , kind, table, used, absent] = part;
  const [type, offset, length] = LAYOUTS[record]!.fields[field]!;
  const inner = type as keyof Records;
  const read = (name: string) => readField(record, name, buffer, address);
  const count = used ? (read(used) as number) : length || 1;
  if (count < 0) return kind === "pairs" ? null : undefined;
  const nameOf = (number: number) => names[table]![number] ?? null;
  if (LAYOUTS[inner]) {
    const size = sizeOf(inner);
    const rows = Array.from({ length: count }, (_, row) => inWords(inner, buffer, address + offset + row * size, names));
    const lists = () => rows.map((row) => Object.values(row)).map((row) => (row.length > 1 ? row : row[0]));
    if (kind === "optional") return rows[0] ?? null;
    if (kind === "pairs") return Object.fromEntries(lists() as [string, unknown][]);
    return kind === "lists" ? lists() : rows;
  }
  const value = read(field) as number | bigint | ArrayLike<number>;
  const numbers = typeof value === "object" ? Array.from(value).slice(0, count) : [Number(value)];
  if (absent && numbers[0] === ABSENT) return undefined;
  if (kind === "byseat")
    return Object.fromEntries(numbers.flatMap((number, seat) => (number < 0 ? [] : [[seat, nameOf(number)]])));
  const all = () => numbers.filter((number) => number >= 0).map(nameOf);
  if (kind === "namesof") return all();
  if (kind === "namesornone") return all().length ? all() : null;
  const each = numbers.map((number) => {
    if (kind === "flag") return number !== 0;
    if (kind === "ornone" && (type === "f64" ? Number.isNaN(number) : number === ABSENT)) return null;
    if (kind === "thousandths") return number / 1000;
    if (kind === "name") return nameOf(number);
    return type === "f64" ? Number(number.toFixed(4)) : number;
  });
  return length ? each : each[0];
}

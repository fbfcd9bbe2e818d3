import { LAYOUTS, type Records } from "./generated.js";

type Numbers = Int8Array | Uint8Array | Int16Array | Int32Array | Float32Array | Float64Array | BigInt64Array;
/** Values of a record's fields to write. */
export type Values = {
  readonly [name: string]: number | bigint | boolean | ArrayLike<number | bigint> | Values | readonly Values[];
};

const ARRAYS: Record<string, { new (buffer: ArrayBuffer, offset: number, length: number): Numbers }> = {
  i8: Int8Array,
  u8: Uint8Array,
  i16: Int16Array,
  i32: Int32Array,
  i64: BigInt64Array,
  f32: Float32Array,
  f64: Float64Array,
};

/** Size of a record in bytes. */
export const sizeOf = (name: keyof Records): number => layoutOf(name).size;

function layoutOf(name: string): (typeof LAYOUTS)[string] {
  const layout = LAYOUTS[name];
  if (!layout) throw new TypeError(`no record ${name}`);
  return layout;
}

/** Returns the record at an address as an object whose fields are read when they are asked for. */
export function readRecord<Name extends keyof Records>(
  name: Name,
  buffer: ArrayBuffer,
  address: number,
): Records[Name] {
  const record = {};
  for (const [field, [type, offset, length]] of Object.entries(layoutOf(name).fields))
    Object.defineProperty(record, field, {
      enumerable: true,
      get: () => read(type, buffer, address + offset, length),
    });
  return record as Records[Name];
}

/** Returns one field of the record at an address, without the others. */
export function readField(name: keyof Records, field: string, buffer: ArrayBuffer, address: number): unknown {
  const [type, offset, length] = layoutOf(name).fields[field]!;
  return read(type, buffer, address + offset, length);
}

function read(type: string, buffer: ArrayBuffer, address: number, length: number): unknown {
  const numbers = ARRAYS[type];
  if (numbers) {
    const array = new numbers(buffer, address, length || 1);
    return length ? array : array[0];
  }
  const name = type as keyof Records;
  if (!length) return readRecord(name, buffer, address);
  return Array.from({ length }, (_, index) => readRecord(name, buffer, address + index * sizeOf(name)));
}

/** Writes fields of the record at an address. */
export function writeRecord(name: keyof Records, buffer: ArrayBuffer, address: number, values: Values): void {
  for (const [field, value] of Object.entries(values)) {
    const found = layoutOf(name).fields[field];
    if (!found) throw new TypeError(`${name} has no field ${field}`);
    const [type, offset, length] = found;
    const numbers = ARRAYS[type];
    if (!numbers) {
      const given = length ? (value as readonly Values[]) : [value as Values];
      const record = type as keyof Records;
      given.forEach((each, index) => writeRecord(record, buffer, address + offset + index * sizeOf(record), each));
    } else {
      const given = length ? Array.from(value as ArrayLike<number | bigint>) : [value as number];
      const array = new numbers(buffer, address + offset, length || 1);
      given.forEach((each, index) => (array[index] = (type === "i64" ? BigInt(each) : Number(each)) as never));
    }
  }
}

/** Messages between the page and a worker. */

import type { Choice, Kept, Setup } from "./table";

/** Messages from the page. */
export type ToWorker =
  | { kind: "request"; id: number; path: string; body: unknown }
  | { kind: "open"; line: number }
  | { kind: "close"; line: number }
  | { kind: "text"; line: number; text: string }
  | { kind: "kept"; table: string; kept: Kept | null };
/** Messages to the page. */
export type ToPage =
  | { kind: "answer"; id: number; status: number; body: unknown; file?: string }
  | { kind: "text"; line: number; text: string }
  | { kind: "end"; line: number }
  | { kind: "read"; table: string }
  | { kind: "begin"; table: string; setup: Setup }
  | { kind: "add"; table: string; choice: Choice };

/**
 * One table's WebSocket: joins, folds events, and reconnects. The server sets the pace: it sends
 * each event when it is to be shown.
 */
import type { Advised, Ask, Choose, FromBrowser, FromServer, Own, Pace, Refused, Welcome } from "../messages";
import { emptyTable, foldAll, type MjaiEvent, type TableState } from "../table/fold";
import { token } from "./api";
import { type Socket, transport } from "./transport";

export type Cause = NonNullable<Refused["cause"]>;

/** `Asked`: the questions of the table's game. */
export interface Live<Asked extends Ask | Choose = Ask | Choose> {
  status: "connecting" | "open" | "lost" | "ended";
  welcome: Omit<Welcome, "events"> | null;
  state: TableState;
  ask: Asked | null;
  /** Time of the question's appearance in milliseconds. */
  asked: number;
  own: Own | null;
  pace: Pace | null;
  advised: Advised | null;
  /** The server's last refusal, and its reason for closing the connection. */
  refused: string | null;
  cause: Cause | null;
}

const RETRY = [500, 1000, 2000, 4000];

export class Connection {
  live: Live = {
    status: "connecting",
    welcome: null,
    state: emptyTable(4),
    ask: null,
    asked: 0,
    own: null,
    pace: null,
    advised: null,
    refused: null,
    cause: null,
  };
  private retry: ReturnType<typeof setTimeout> | undefined;
  private socket: Socket | null = null;
  private received = 0;
  private tries = 0;
  /** The last answered question, which is repeated if the answer is refused. */
  private answered: Live["ask"] = null;
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly table: string,
    private readonly key: string,
  ) {
    this.open();
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  send(message: FromBrowser): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** Answer the shown question and hide it. */
  act(action: number): void {
    const ask = this.live.ask;
    if (ask === null) return;
    this.send({ type: "act", number: ask.number, action });
    this.answered = ask;
    this.set({ ask: null, advised: null, refused: null });
  }

  close(): void {
    this.set({ status: "ended" });
    clearTimeout(this.retry);
    this.socket?.close();
  }

  /** Join at once, even if another window has taken the table over. */
  again(): void {
    clearTimeout(this.retry);
    this.tries = 0;
    this.set({ status: "lost", refused: null, cause: null });
    this.open();
  }

  private open(): void {
    const socket = transport.open(token());
    this.socket = socket;
    const current = () => this.socket === socket;
    socket.onopen = () =>
      current() && this.send({ type: "join", table: this.table, key: this.key, received: this.received });
    socket.onmessage = (message) => current() && this.take(JSON.parse(String(message.data)) as FromServer);
    socket.onclose = () => current() && this.lost();
  }

  private lost(): void {
    if (this.live.status === "ended") return;
    this.set({ status: "lost" });
    const wait = RETRY[Math.min(this.tries, RETRY.length - 1)];
    this.tries += 1;
    this.retry = setTimeout(() => this.live.status !== "ended" && this.open(), wait);
  }

  private take(message: FromServer): void {
    switch (message.type) {
      case "welcome":
        this.welcome(message);
        break;
      case "happened":
        this.happened(message.first, message.events as MjaiEvent[]);
        break;
      case "ask":
      case "choose":
        this.answered = null;
        this.set({ ask: message, asked: Date.now(), advised: null });
        break;
      case "own":
        this.set({ own: message });
        break;
      case "pace":
        this.set({ pace: message });
        break;
      case "advised":
        if (message.number === this.live.ask?.number) this.set({ advised: message });
        break;
      case "refused":
        this.refused(message);
    }
  }

  private refused(message: Refused): void {
    const ask = this.live.ask ?? this.answered;
    this.answered = null;
    this.set({
      refused: message.reason,
      ask,
      ...(message.fatal ? { status: "ended" as const, cause: message.cause ?? null } : {}),
    });
  }

  private welcome(message: Welcome): void {
    this.tries = 0;
    const { events, ...welcome } = message;
    const again = message.first > 0 && message.first === this.received;
    const before = again
      ? this.live.state
      : { ...emptyTable(message.players, message.seat, message.game), names: message.names };
    this.received = message.first + events.length;
    this.answered = null;
    this.set({
      status: "open",
      welcome,
      state: foldAll(before, events as MjaiEvent[]),
      own: message.own,
      pace: message.pace,
      ask: message.ask,
      asked: Date.now(),
      refused: null,
      cause: null,
    });
  }

  private happened(first: number, events: MjaiEvent[]): void {
    if (first > this.received) {
      this.socket?.close(); // events were missed: join again from the current state
      return;
    }
    const more = events.slice(this.received - first);
    this.received += more.length;
    this.answered = null;
    this.set({ state: foldAll(this.live.state, more), refused: null });
  }

  private set(part: Partial<Live>): void {
    this.live = { ...this.live, ...part };
    for (const listener of this.listeners) listener();
  }
}

/** A table without a server, from its first hand to its last: the TypeScript of `janshi.web.game_table` and `janshi.web.screen`. */
import type { Game, Janshi, RuleFields, Table } from "../../npm/dist/index.js";
import type { Ask, Choose, FromServer, Own, Pace } from "../src/messages";
import { choiceAt } from "./plain";
import type { Players } from "./players";
import { FORMATS } from "./records/writing";
import { REVIEWS } from "./review";
import { adviceAt, questionAt, type Event, isClaim, preferred, seenBy, sharesAt } from "./side";
import { Story, type NewEvent } from "./story";

/** A choice of a game: an action, the begin of the next hand, or the end. */
export type Choice = number | "next" | "over";

export interface Setup {
  rules: string;
  /** Fields of the rules that differ from those of the name. */
  changes: RuleFields;
  length: string;
  names: string[];
  /** Names of the agents by seat. */
  agents: Record<number, string>;
  /** The player's seat; null: agents in every seat. */
  seat: number | null;
  seed: string;
}

/** A request that is impossible now. */
export class NotNow extends Error {}

/** Seconds after each kind of event before the next one. */
const PAUSES: Record<string, number> = {
  ...{ start_kyoku: 1.0, tsumo: 0.6, dahai: 0.6, reach: 0.6, nukidora: 0.6 },
  ...{ chi: 0.9, pon: 0.9, daiminkan: 0.9, ankan: 0.9, kakan: 0.9 },
  ...{ void: 0.3, void_shown: 0.2, lay_aside: 0.1, exchange: 0.6, win: 1.5, pay: 0.3 },
};
const AFTER_CLAIM = 0.3;
const AFTER_HAND = 8;
const AHEAD = 16;

/** The display of a table: its events in order, with pauses that reveal nothing. */
class Screen {
  readonly events: Event[] = [];
  own: Own | null = null;
  watched: Pace | null;
  private readonly coming: NewEvent[] = [];
  private due = 0;
  private steps = 0;
  private resting = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private waiting: (() => void)[] = [];

  constructor(
    private readonly seat: number | null,
    private readonly send: (message: FromServer) => void,
    private readonly pace: number,
  ) {
    this.watched = seat === null ? { type: "pace", paused: false, seconds: 0.5 * pace } : null;
  }

  add(added: readonly NewEvent[]): void {
    this.coming.push(...added);
    this.resting = false;
    this.run();
  }

  showAtOnce(added: readonly NewEvent[]): void {
    for (const { event, own } of added) {
      this.take(event);
      this.own = own ?? this.own;
    }
  }

  /** Waits until all events are shown; the table waits for its player, or is over. */
  async shown(): Promise<void> {
    this.resting = true;
    this.run();
    await this.emptied(0);
  }

  /** Waits until at most some events are queued. */
  async emptied(most: number): Promise<void> {
    while (this.coming.length > most) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** The pause after the seat's answer. */
  answered(claim: boolean): void {
    this.due = performance.now() + (claim ? 1000 * AFTER_CLAIM * this.pace : 0);
  }

  setPace(paused: boolean | null, seconds: number | null, step: boolean): void {
    const old = this.watched!;
    this.watched = { type: "pace", paused: paused ?? old.paused, seconds: seconds ?? old.seconds };
    this.steps = step && this.watched.paused ? 1 : 0;
    this.due = Math.min(this.due, performance.now() + 1000 * this.watched.seconds);
    this.run();
    if (this.watched.paused !== old.paused || this.watched.seconds !== old.seconds) this.send(this.watched);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.coming.length = 0;
  }

  private run(): void {
    clearTimeout(this.timer);
    const wait = this.wait();
    if (wait === null) return;
    if (wait > 0) {
      this.timer = setTimeout(() => this.run(), wait);
      return;
    }
    const { event, own } = this.coming.shift()!;
    this.steps = 0;
    this.show(event, own);
    this.due = performance.now() + 1000 * this.pauseAfter(event.type);
    const waiting = this.waiting;
    this.waiting = [];
    for (const resolve of waiting) resolve();
    this.run();
  }

  /** Milliseconds before the next event; null without one. */
  private wait(): number | null {
    const [next] = this.coming;
    if (!next || (this.watched?.paused && !this.steps)) return null;
    const last = this.coming.length === 1 && !this.resting;
    if (last && !this.watched && next.event["actor"] !== this.seat) return null; // its consequences are not known yet
    return this.steps ? 0 : Math.max(0, this.due - performance.now());
  }

  private pauseAfter(type: string): number {
    if (!this.watched) return (PAUSES[type] ?? 0) * this.pace;
    return this.watched.seconds * (type === "end_kyoku" ? AFTER_HAND : 1);
  }

  private show(event: Event, own: Own | null): void {
    const seen = this.take(event);
    this.send({ type: "happened", first: this.events.length - 1, events: [seen] });
    if (own && JSON.stringify(own) !== JSON.stringify(this.own)) {
      this.own = own;
      this.send(own);
    }
  }

  private take(event: Event): Event {
    const seen = this.seat === null ? event : seenBy(event, this.seat);
    this.events.push(seen);
    return seen;
  }
}

/** What a table keeps, so that it can be resumed. */
export interface Kept {
  setup: Setup;
  choices: Choice[];
  /** Time of the last choice in milliseconds. */
  at?: number;
}

export class LocalTable {
  readonly table: Table<Game>;
  readonly screen: Screen;
  readonly choices: Choice[] = [];
  moved = Date.now();
  ask: Ask | Choose | null = null;
  failure: string | null = null;
  /** Receives the table's messages. */
  listener: ((message: FromServer) => void) | null = null;
  private readonly story: Story;
  /** What the format of records keeps of finished hands. */
  private readonly hands: unknown[] = [];
  private decisions = 0;
  private answer: ((action: number) => void) | null = null;
  private next: (() => void) | null = null;
  private closed = false;

  /** `note` stores a choice. `pace` scales the pauses. */
  constructor(
    private readonly janshi: Janshi,
    readonly name: string,
    readonly setup: Setup,
    private readonly players: Players,
    private readonly note: (choice: Choice) => void,
    pace = 1,
  ) {
    this.table = janshi.table(setup.rules, { seed: BigInt(setup.seed), changes: setup.changes });
    this.story = new Story(this.table, setup.names, setup.seat);
    this.screen = new Screen(setup.seat, (message) => this.listener?.(message), pace);
  }

  /** Repeats earlier choices without pauses. */
  resume(choices: readonly Choice[]): void {
    this.screen.showAtOnce(this.story.update());
    for (const choice of choices) {
      if (choice === "over") break;
      this.screen.showAtOnce(choice === "next" ? this.goOn() : this.actAs(choice));
      this.choices.push(choice);
    }
  }

  private actAs(action: number): NewEvent[] {
    const { table } = this;
    const { actor } = table;
    this.decisions += Number(actor === this.setup.seat);
    table.act(action);
    if (table.handOver) this.hands.push(FORMATS[table.game]?.hand?.(table));
    return this.story.update({ actor, text: table.actionText(action) });
  }

  private goOn(): NewEvent[] {
    this.table.nextHand();
    return this.story.update();
  }

  async play(): Promise<void> {
    try {
      this.screen.add(this.story.update());
      while (!this.table.over && !this.closed) {
        const added = await (this.table.handOver ? this.beginNextHand() : this.decide());
        this.screen.add(added);
      }
      if (!this.closed) this.noted("over");
      await this.screen.shown();
    } catch (error) {
      if (this.closed) return;
      this.failure = `this table has stopped: ${error instanceof Error ? error.message : String(error)}`;
      this.listener?.({ type: "refused", reason: this.failure, fatal: true, cause: "failed" });
    }
  }

  close(): void {
    this.closed = true;
    this.screen.stop();
    this.table.free();
  }

  get over(): boolean {
    return this.screen.events.at(-1)?.type === "end_game";
  }

  private noted(choice: Choice): void {
    this.moved = Date.now();
    this.choices.push(choice);
    this.note(choice);
  }

  private async beginNextHand(): Promise<NewEvent[]> {
    if (this.setup.seat !== null) {
      const next = new Promise<void>((resolve) => (this.next = resolve));
      await this.screen.shown();
      await next;
    }
    this.noted("next");
    return this.goOn();
  }

  private async decide(): Promise<NewEvent[]> {
    const { table, setup } = this;
    let action: number;
    if (table.actor === setup.seat) action = await this.question();
    else {
      if (setup.seat === null) await this.screen.emptied(AHEAD);
      action = await this.players.decide(setup.agents[table.actor]!, table);
    }
    if (this.closed) return [];
    this.noted(action);
    return this.actAs(action);
  }

  /** Asks the player. */
  private async question(): Promise<number> {
    await this.screen.shown();
    const claim = isClaim(this.table);
    const number = this.decisions + 1;
    this.ask = this.table.says
      ? { type: "ask", number, ...questionAt(this.table) }
      : { type: "choose", number, ...choiceAt(this.table) };
    const answer = new Promise<number>((resolve) => (this.answer = resolve));
    this.listener?.(this.ask);
    const action = await answer;
    this.screen.answered(claim);
    return action;
  }

  // -----------------------------------------------------------------------------------------------------
  // Requests of the page

  welcome(received: number): FromServer {
    const { screen, setup } = this;
    const format = FORMATS[this.table.game];
    const first = received <= screen.events.length ? received : 0;
    return {
      type: "welcome",
      table: this.name,
      seat: setup.seat,
      game: this.table.game,
      formats: format ? [format.name] : [],
      reviews: this.table.game in REVIEWS,
      rules: setup.rules,
      length: setup.length,
      players: this.table.players,
      names: setup.names,
      first,
      events: screen.events.slice(first),
      ask: this.ask,
      own: screen.own,
      pace: screen.watched,
    };
  }

  act(number: number, action: number): void {
    const ask = this.asked(number);
    if (!ask.options.some((option) => option.action === action))
      throw new NotNow(`action ${action} is not possible now`);
    this.ask = null;
    this.answer?.(action);
  }

  private asked(number: number): Ask | Choose {
    if (!this.ask) throw new NotNow("the table is not waiting for you now");
    if (this.ask.number !== number)
      throw new NotNow(`the table waits for the answer to decision ${this.ask.number}, not ${number}`);
    return this.ask;
  }

  async hint(number: number): Promise<FromServer> {
    if (this.asked(number).type === "choose") throw new NotNow("there are no hints for this game");
    const by = this.players.best(this.table);
    const [answers] = await this.players.answers(by, [this.table.encode()]);
    this.asked(number);
    const { legal } = this.table;
    const shares = sharesAt(answers!, this.table);
    const best = legal.reduce((one, other) => (shares[other]! > shares[one]! ? other : one));
    return { type: "advised", number, advice: { by, best, preferences: preferred(shares), ...adviceAt(this.table) } };
  }

  /** The record of the game. */
  record(): { text: string; suffix: string } {
    const format = FORMATS[this.table.game];
    if (!format) throw new NotNow("this game has no records");
    if (!this.over) throw new NotNow("the record is available after the end of the game");
    const { table, hands } = this;
    const { events } = this.story;
    const text = format.write(this.janshi, { table, names: this.setup.names, events, hands });
    return { text, suffix: format.suffix };
  }

  nextHand(): void {
    if (this.setup.seat === null) throw new NotNow("a watched table continues automatically");
    if (this.screen.events.at(-1)?.type !== "end_kyoku")
      throw new NotNow(this.over ? "the game is over" : "the hand is not over");
    this.next?.();
  }

  setPace(paused: boolean | null, seconds: number | null, step: boolean): void {
    if (this.setup.seat !== null) throw new NotNow("only watched tables have a pace");
    this.screen.setPace(paused, seconds, step);
  }
}

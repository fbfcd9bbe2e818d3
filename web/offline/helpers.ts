/** Playouts of a seat's decisions in workers of their own, so that all cores play. */
import { type Game, type Janshi, JanshiError, type Table } from "../../npm/dist/index.js";
import type { ToPage, ToWorker } from "./messages";
import type { Players } from "./players";
import { type Outcome, Playouts } from "./playouts";
import type { GameRecord } from "./records";
import { positionsOf } from "./review";

/** Workers at most: each holds the engine and a network. */
const MOST = 4;

/** Samples of a decision's options. */
export interface Part {
  decision: number;
  options: readonly number[];
  /** Number of the decision's parts before. */
  batch: number;
  samples: number;
}

/** The outcomes of parts in their order, by option and sample; null where no hidden tiles fit. */
export type Play = (parts: readonly Part[]) => Promise<(Outcome[][] | null)[]>;

/** Nobody waits for the playouts any more. */
export class Unwanted extends Error {}

/** The workers, which end with `end`. */
export class Helpers {
  private readonly workers: Worker[];
  private readonly ready: Promise<unknown>;

  /** `isWanted`: asked after every part; `play` throws `Unwanted` once it is false. */
  constructor(
    game: GameRecord,
    seat: number,
    private readonly isWanted: () => boolean,
  ) {
    const count = Math.min(navigator.hardwareConcurrency, MOST);
    this.workers = Array.from({ length: count }, () => new Worker(self.location.href, { type: "module" }));
    this.ready = Promise.all(this.workers.map((worker) => ask(worker, "hold", { game, seat })));
  }

  readonly play: Play = async (parts) => {
    await this.ready;
    const outcomes: (Outcome[][] | null)[] = parts.map(() => null);
    const left = [...parts.entries()];
    const work = async (worker: Worker) => {
      for (let next = left.shift(); next; next = left.shift()) {
        if (!this.isWanted()) throw new Unwanted();
        const [number, part] = next;
        outcomes[number] = (await ask(worker, "part", part)) as Outcome[][] | null;
      }
    };
    await Promise.all(this.workers.map(work));
    return outcomes;
  };

  end(): void {
    for (const worker of this.workers) worker.terminate();
  }
}

/** A worker's answer, one at a time. */
function ask(worker: Worker, path: "hold" | "part", body: unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    worker.onerror = () => reject(new Error("the page cannot start another worker"));
    worker.onmessage = ({ data }: MessageEvent<Extract<ToPage, { kind: "answer" }>>) =>
      data.status === 200 ? resolve(data.body) : reject(new Error((data.body as { reason: string }).reason));
    worker.postMessage({ kind: "request", id: 0, path, body } satisfies ToWorker);
  });
}

/** One of the workers. */
export class Helper {
  private positions: readonly Table<Game>[] = [];

  constructor(
    private readonly janshi: Janshi,
    private readonly players: Players,
  ) {}

  hold({ game, seat }: { game: GameRecord; seat: number }): null {
    this.positions = positionsOf(this.janshi, game, seat);
    return null;
  }

  async play({ decision, options, batch, samples }: Part): Promise<Outcome[][] | null> {
    const playouts = new Playouts(this.players, this.positions[decision]!, options, batch);
    try {
      await playouts.play(samples);
      return playouts.outcomes;
    } catch (error) {
      if (error instanceof JanshiError) return null;
      throw error;
    }
  }
}

/** The trained players: networks evaluated by onnxruntime-web. */
import * as ort from "onnxruntime-web/wasm";
import type { Game, Table } from "../../npm/dist/index.js";

export interface Players {
  /** An agent's action for the table's decision. */
  decide(agent: string, table: Table<Game>): Promise<number>;
  /** A network's answers for the table's decision. */
  answers(agent: string, table: Table<Game>): Promise<ArrayLike<number>>;
  /** The strongest player of a table's game. */
  best(table: Table<Game>): string;
}

/** Files of the networks by the player's name. */
const FILES: Record<string, string> = { sl: "sl-int8.onnx", sl4: "sl4-int8.onnx", sichuan: "sichuan.onnx" };

export class Networks implements Players {
  private readonly sessions = new Map<string, Promise<ort.InferenceSession>>();

  /** `base`: address of the folder with the networks. */
  constructor(private readonly base: string) {
    ort.env.wasm.numThreads = 1; // more need headers of the server
  }

  best(table: Table<Game>): string {
    return table.game === "sichuan" ? "sichuan" : table.players === 3 ? "sl" : "sl4";
  }

  /** Loads a player's network. */
  session(name: string): Promise<ort.InferenceSession> {
    let session = this.sessions.get(name);
    if (!session) {
      session = ort.InferenceSession.create(new URL(FILES[name]!, this.base).href);
      this.sessions.set(name, session);
      session.catch(() => this.sessions.delete(name)); // offline: try again
    }
    return session;
  }

  async answers(agent: string, table: Table<Game>): Promise<ArrayLike<number>> {
    const session = await this.session(agent);
    const { data, dims } = table.encode();
    const { answers } = await session.run({ observations: new ort.Tensor("uint8", data, dims) });
    return answers!.data as Float32Array;
  }

  async decide(agent: string, table: Table<Game>): Promise<number> {
    if (agent === "efficient") return table.efficient();
    if (agent === "random") return table.legal[Math.floor(Math.random() * table.legal.length)]!;
    return table.best(await this.answers(agent, table));
  }
}

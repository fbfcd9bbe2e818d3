/** The trained players: networks evaluated by onnxruntime-web. */
import * as ort from "onnxruntime-web/wasm";
import type { Game, Input, Table } from "../../npm/dist/index.js";
import type { Losses, Site } from "../src/messages";

/** What losses need beside the networks. */
export interface LossData {
  /** The first number in an outcome model's answer that is a change of points. */
  change: number;
  /** See `Losses.people`: by number of players and length of the game. */
  people: Record<string, Record<string, Losses["people"]>>;
}

export interface Players {
  /** An agent's action for the table's decision. */
  decide(agent: string, table: Table<Game>): Promise<number>;
  /** The answers of a player's network or of an outcome model for some decisions. */
  answers(name: string, inputs: readonly Input[]): Promise<ArrayLike<number>[]>;
  /** The strongest player of a game. */
  best(of: Pick<Table<Game>, "game" | "players">): string;
  /** Weights of the placement model of Riichi. */
  placement(players: number): Promise<Float32Array>;
  lossData(): Promise<LossData>;
}

export class Networks implements Players {
  private readonly sessions = new Map<string, Promise<ort.InferenceSession>>();

  /** `base`: address of the folder with the networks; `seated`: players that the page can seat, the strongest first. */
  constructor(
    private readonly base: string,
    private readonly seated: Site["players"],
  ) {
    ort.env.wasm.numThreads = 1; // more need headers of the server
  }

  best({ game, players }: Pick<Table<Game>, "game" | "players">): string {
    const able = this.seated.filter((each) => each.games.includes(game) && each.players.includes(players));
    return able.find((each) => each.reviews)!.name;
  }

  async placement(players: number): Promise<Float32Array> {
    return new Float32Array(await (await this.file(`placement-${players}.bin`)).arrayBuffer());
  }

  async lossData(): Promise<LossData> {
    return (await this.file("losses.json")).json() as Promise<LossData>;
  }

  private async file(name: string): Promise<Response> {
    const answer = await fetch(new URL(name, this.base));
    if (!answer.ok) throw new Error(`${answer.url}: ${answer.status}`);
    return answer;
  }

  /** Loads a network. */
  session(name: string): Promise<ort.InferenceSession> {
    let session = this.sessions.get(name);
    if (!session) {
      session = ort.InferenceSession.create(new URL(`${name}.onnx`, this.base).href);
      this.sessions.set(name, session);
      session.catch(() => this.sessions.delete(name)); // offline: try again
    }
    return session;
  }

  async answers(name: string, inputs: readonly Input[]): Promise<ArrayLike<number>[]> {
    const session = await this.session(name);
    const [, ...shape] = inputs[0]!.dims;
    const size = inputs[0]!.data.length;
    const data = new Uint8Array(size * inputs.length);
    inputs.forEach((input, row) => data.set(input.data, size * row));
    const tensor = new ort.Tensor("uint8", data, [inputs.length, ...shape]);
    const { answers } = await session.run({ observations: tensor });
    const found = answers!.data as Float32Array;
    const width = found.length / inputs.length;
    return inputs.map((_, row) => found.subarray(width * row, width * (row + 1)));
  }

  async decide(agent: string, table: Table<Game>): Promise<number> {
    if (agent === "efficient") return table.efficient();
    if (agent === "random") return table.legal[Math.floor(Math.random() * table.legal.length)]!;
    return table.best((await this.answers(agent, [table.encode()]))[0]!);
  }
}

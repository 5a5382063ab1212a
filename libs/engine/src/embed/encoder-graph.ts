import { type InferenceSession, Tensor } from 'onnxruntime-node';

import { BaseModelDamagedError, BaseModelUnsupportedError, type EmbeddingFolder } from '../model/index.js';
import { openSession } from '../runtime/session.js';

/** Names that exporters give to the vectors of all tokens. */
const OUTPUTS = ['last_hidden_state', 'token_embeddings'];
/** What a graph may ask for: ids, which of them are text, and which of two texts each belongs to. */
const INPUTS = ['input_ids', 'attention_mask', 'token_type_ids'];

/** Vectors of the tokens of several texts, `[rows, length, dimensions]`; behind the end of a row they mean nothing. */
export interface HiddenStates {
  readonly values: Float32Array;
  readonly length: number;
  readonly dimensions: number;
}

/** The graph of an encoder: token ids to vectors. */
export class EncoderGraph {
  private constructor(
    private readonly folder: EmbeddingFolder,
    private readonly session: InferenceSession,
    private readonly output: string,
    private readonly integers: 'int64' | 'int32',
  ) {}

  /**
   * @param threads how many threads one operator may use
   * @throws BaseModelDamagedError the graph cannot be read
   * @throws BaseModelUnsupportedError its inputs or outputs are not those of an encoder
   */
  static async open(folder: EmbeddingFolder, threads: number): Promise<EncoderGraph> {
    const session = await openGraph(folder, threads);
    try {
      return new EncoderGraph(folder, session, outputOf(folder, session), integersOf(folder, session));
    } catch (error) {
      await session.release();
      throw error;
    }
  }

  /** @param rows token ids of each text, at least one @throws BaseModelDamagedError the graph fails, or its output has another shape */
  async run(rows: readonly (readonly number[])[]): Promise<HiddenStates> {
    const length = rows.reduce((most, { length: tokens }) => Math.max(most, tokens), 0);
    const outputs = await this.runSession(this.feeds(rows, length));
    const { data, dims } = outputs[this.output] as Tensor;
    const expected = [rows.length, length, this.folder.dimensions];
    if (!(data instanceof Float32Array) || dims.join() !== expected.join()) {
      const reason = `${this.output} has the shape [${dims.join(', ')}], expected [${expected.join(', ')}] of floats`;
      throw new BaseModelDamagedError(this.folder.graph, reason);
    }
    return { values: data, length, dimensions: this.folder.dimensions };
  }

  close(): Promise<void> {
    return this.session.release();
  }

  private async runSession(feeds: Record<string, Tensor>): Promise<InferenceSession.OnnxValueMapType> {
    try {
      return await this.session.run(feeds, [this.output]);
    } catch (error) {
      throw new BaseModelDamagedError(this.folder.graph, `it cannot be computed: ${sentence(error)}`, { cause: error });
    }
  }

  private feeds(rows: readonly (readonly number[])[], length: number): Record<string, Tensor> {
    const input = (valueAt: (row: readonly number[], at: number) => number): Tensor => {
      const values = Array.from({ length: rows.length * length }, (_value, at) => {
        const row = rows[Math.floor(at / length)] as readonly number[];
        return valueAt(row, at % length);
      });
      const dims = [rows.length, length];
      return this.integers === 'int64'
        ? new Tensor('int64', BigInt64Array.from(values, BigInt), dims)
        : new Tensor('int32', Int32Array.from(values), dims);
    };
    const all: Record<string, () => Tensor> = {
      input_ids: () => input((row, at) => row[at] ?? 0),
      attention_mask: () => input((row, at) => (at < row.length ? 1 : 0)),
      token_type_ids: () => input(() => 0),
    };
    return Object.fromEntries(this.session.inputNames.map((name) => [name, (all[name] as () => Tensor)()]));
  }
}

async function openGraph({ graph }: EmbeddingFolder, threads: number): Promise<InferenceSession> {
  try {
    // Texts have many lengths, and days may pass between two of them.
    return await openSession(graph, threads, { areMany: true, keepsMemory: false });
  } catch (error) {
    throw new BaseModelDamagedError(graph, `it is no graph that can be opened: ${sentence(error)}`, { cause: error });
  }
}

function integersOf({ graph }: EmbeddingFolder, session: InferenceSession): 'int64' | 'int32' {
  const { inputNames, inputMetadata } = session;
  const unknown = inputNames.find((name) => !INPUTS.includes(name));
  if (unknown !== undefined) throw new BaseModelUnsupportedError(graph, `it asks for ${unknown}`);
  const missing = INPUTS.slice(0, 2).find((name) => !inputNames.includes(name));
  if (missing !== undefined) throw new BaseModelUnsupportedError(graph, `it has no input ${missing}`);
  const types = new Set(inputMetadata.map((input) => (input.isTensor ? input.type : 'other')));
  const [type] = types;
  if (types.size === 1 && (type === 'int64' || type === 'int32')) return type;
  throw new BaseModelUnsupportedError(graph, `its inputs are of the types ${[...types].join()}, expected int64`);
}

/** The vectors of all tokens: by their name, else the only floats with three dimensions. */
function outputOf({ graph }: EmbeddingFolder, { outputNames, outputMetadata }: InferenceSession): string {
  const named = OUTPUTS.find((name) => outputNames.includes(name));
  if (named !== undefined) return named;
  const fitting = outputMetadata.filter((output) => output.isTensor && output.shape.length === 3);
  const [only] = fitting;
  if (only !== undefined && fitting.length === 1) return only.name;
  throw new BaseModelUnsupportedError(graph, `its outputs are ${outputNames.join()}, expected last_hidden_state`);
}

/** The first line of a message of the runtime, which is none of ours. */
function sentence(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
  return line.slice(0, 300).toWellFormed().replace(/\.$/, '');
}

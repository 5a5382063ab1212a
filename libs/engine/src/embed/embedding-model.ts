import { join } from 'node:path';

import {
  BaseModelDamagedError,
  type EmbeddingFolder,
  readEmbeddingFolder,
  type Shortened,
  WordPieceTokenizer,
} from '../model/index.js';
import { EncoderGraph } from './encoder-graph.js';
import { pool } from './pool.js';

/** What callers need to know of an embedding model. */
export interface EmbeddingInfo {
  /** Numbers of an embedding. */
  readonly dimensions: number;
  /** How many numbers an embedding may be cut to; null: not at all. */
  readonly shortened: Shortened | null;
  /** Of the longest text, special tokens included. */
  readonly maxTokens: number;
  /** Token ids are below it. */
  readonly vocabSize: number;
}

/** An embedding model in memory. It computes in the thread that it is called in, which stands still meanwhile. */
export class EmbeddingModel {
  private constructor(
    readonly folder: EmbeddingFolder,
    private readonly tokenizer: WordPieceTokenizer,
    private readonly graph: EncoderGraph,
  ) {}

  /**
   * Opens the model of a folder, and embeds two texts to see that it can.
   *
   * @param threads how many threads one operator may use
   * @throws EngineError `engine.base_model_...`: what is wrong with the folder
   */
  static async open(directory: string, threads: number, maxParams?: number): Promise<EmbeddingModel> {
    const folder = await readEmbeddingFolder(directory, maxParams);
    const tokenizer = await readTokenizer(folder);
    const model = new EmbeddingModel(folder, tokenizer, await EncoderGraph.open(folder, threads));
    try {
      await model.tryOut();
      return model;
    } catch (error) {
      await model.close();
      throw error;
    }
  }

  get info(): EmbeddingInfo {
    const { dimensions, shortened, maxTokens, vocabSize } = this.folder;
    return { dimensions, shortened, maxTokens, vocabSize };
  }

  /** Token ids of a text, special ones included; null: it has more than the model reads. */
  encode(text: string): number[] | null {
    return this.tokenizer.encode(text, this.folder.maxTokens);
  }

  /**
   * @param rows token ids of each text
   * @param dimensions how many numbers each embedding has
   */
  async embed(rows: readonly (readonly number[])[], dimensions = this.folder.dimensions): Promise<Float32Array[]> {
    const states = await this.graph.run(rows);
    return rows.map(({ length }, row) => pool(states, row, length, this.folder.pooling, dimensions));
  }

  close(): Promise<void> {
    return this.graph.close();
  }

  /** With the highest id, which a graph of another vocabulary does not have, and with padding. */
  private async tryOut(): Promise<void> {
    const last = this.folder.vocabSize - 1;
    const embeddings = await this.embed([[last, 0, last], [last]]);
    if (embeddings.every((embedding) => embedding.every(Number.isFinite))) return;
    throw new BaseModelDamagedError(this.folder.graph, 'it gives embeddings that are no numbers');
  }
}

async function readTokenizer({ directory, vocabSize }: EmbeddingFolder): Promise<WordPieceTokenizer> {
  const path = join(directory, 'tokenizer.json');
  const tokenizer = await WordPieceTokenizer.read(path);
  if (tokenizer.vocabSize <= vocabSize) return tokenizer;
  const reason = `the tokenizer has ${tokenizer.vocabSize} tokens, config.json allows ${vocabSize}`;
  throw new BaseModelDamagedError(path, reason);
}

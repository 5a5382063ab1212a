import { CacheRows } from '../cache/cache-rows.js';
import type { KeyValues } from '../cache/key-values.js';
import type { Predictions } from '../model-runner.js';
import type { Choice } from './choice.js';
import type { GenerationJob } from './generation-job.js';
import type { ServedModel } from './served-model.js';

/** A choice that decodes, one token per step. */
export interface Row {
  readonly job: GenerationJob;
  readonly choice: Choice;
  /** Tokens in the cache. */
  length: number;
  /** Input of the next decode step; null while no token is sampled yet. */
  nextId: number | null;
  /** Predictions after the cached tokens, kept until the constraint's logit mask arrives. */
  held: { logProbabilities: Float32Array; logPartition: number } | null;
}

/** Rows whose weights can decode together and whose KV caches have one capacity: they share a decode step. */
export class DecodeBatch {
  readonly rows: Row[] = [];
  private readonly cache: CacheRows;

  /**
   * @param model that of the first row
   * @param capacity tokens that a row can hold
   */
  constructor(
    readonly model: ServedModel,
    readonly capacity: number,
  ) {
    this.cache = new CacheRows(model.base.config, capacity);
  }

  add(row: Row, pieces: readonly KeyValues[]): void {
    this.cache.add(pieces, row.length);
    this.rows.push(row);
  }

  /** Moves a row here from a batch of smaller capacity. */
  adopt(row: Row, source: DecodeBatch): void {
    this.cache.adopt(source.cache, source.rows.indexOf(row), row.length);
    this.rows.push(row);
    source.remove(row);
  }

  remove(row: Row): void {
    const index = this.rows.indexOf(row);
    this.cache.remove(index);
    // The cache moves its last row into the gap; the list does the same.
    const last = this.rows.pop() as Row;
    if (last !== row) this.rows[index] = last;
  }

  /**
   * One decode step of each row that has a token.
   *
   * @returns these rows with their predictions
   */
  async step(): Promise<{ row: Row; logProbabilities: Float32Array; logPartition: number }[]> {
    const ids = this.rows.map((row) => row.nextId ?? 0);
    const positions = this.rows.map((row) => row.length);
    const runners = this.rows.map(({ job }) => job.model.runner);
    const isReproducible = this.rows.some(({ job }) => job.request.isReproducible);
    this.cache.minRows = isReproducible ? 2 : this.model.runner.minRows;
    const predicted = await this.model.runner.step(runners, this.cache, ids, positions);
    return this.rows.flatMap((row, index) => {
      if (row.nextId === null) return [];
      this.cache.append(index, row.length, predicted.newRows);
      row.length += 1;
      row.nextId = null;
      return [{ row, ...this.predictionsOf(predicted, index) }];
    });
  }

  private predictionsOf({ logProbabilities, logPartition }: Predictions, index: number) {
    const { vocabSize } = this.model.base.config;
    return {
      logProbabilities: logProbabilities.subarray(index * vocabSize, (index + 1) * vocabSize),
      logPartition: logPartition[index] as number,
    };
  }
}

import '../runtime/onnxruntime.config.js';

import { type Task, TaskThreads } from '@hone/threads';

import { fromErrorMessage } from '../decode/error-message.js';
import { stateOfFolder } from '../model/index.js';
import { ServingClosedError, ServingCrashedError } from '../serve/serve.errors.js';
import { EMBED, type EmbeddingChoice, ENCODE, OPEN, type Outcome, UNLOAD } from './embedding.task.js';
import { toBatches, toParts } from './embedding-batches.js';
import type { EmbeddingInfo } from './embedding-model.js';
import type { EmbeddingFormat } from './written-embedding.js';

export interface EmbeddingEngineOptions {
  /** After so long without a text the thread ends, and with it the models. Default 5 min. */
  readonly idleMs?: number;
  /** How many parameters a model may have. Default 2e9. */
  readonly maxParams?: number | undefined;
}

/** An embedding model that was opened: the content of its folder at that time. */
export interface OpenEmbeddingModel {
  readonly choice: EmbeddingChoice;
  readonly info: EmbeddingInfo;
}

interface EmbedOptions {
  readonly format: EmbeddingFormat;
  /** Numbers of each embedding. Absent: as many as the model has. */
  readonly dimensions?: number | undefined;
  /** Ends the work after the batch under way, with its reason as the error. */
  readonly signal?: AbortSignal;
}

const IDLE_MS = 300_000;
/** Of vocabularies and texts; the weights are outside the heap. */
const MAX_HEAP_MIB = 1_024;

/**
 * Computes embeddings in one thread of its own, which starts with the first model and ends when nobody asks: until then,
 * and after it, embeddings cost no memory. Requests take turns, a batch each.
 */
export class EmbeddingEngine {
  private readonly threads: TaskThreads;
  private readonly running = new Set<Promise<unknown>>();
  private isClosed = false;

  constructor(private readonly options: EmbeddingEngineOptions = {}) {
    this.threads = new TaskThreads({ maxThreads: 1, idleMs: options.idleMs ?? IDLE_MS, maxHeapMiB: MAX_HEAP_MIB });
  }

  /** Opens the model of a folder. @throws EngineError `engine.base_model_...`: it cannot be used, and why */
  async open(directory: string): Promise<OpenEmbeddingModel> {
    const state = await stateOfFolder(directory);
    const choice = { directory, state, maxParams: this.options.maxParams };
    return { choice, info: await this.run(OPEN, choice) };
  }

  /**
   * Token ids of texts, special ones included; null: the text has more than the model reads.
   *
   * @throws EngineError `engine.base_not_loaded`: the files have changed; `engine.crashed`: the thread ended;
   * `engine.closed`
   */
  async encode({ choice }: OpenEmbeddingModel, texts: readonly string[]): Promise<(number[] | null)[]> {
    const rows: (number[] | null)[] = [];
    for (const part of toParts(texts)) rows.push(...(await this.run(ENCODE, { model: choice, texts: part })));
    return rows;
  }

  /**
   * @param rows token ids of each text, at least one each and at most as many as the model reads
   * @returns the JSON of each embedding, in order; each has the length 1
   * @throws EngineError as {@link encode}
   */
  async embed(
    { choice }: OpenEmbeddingModel,
    rows: readonly (readonly number[])[],
    { format, dimensions, signal }: EmbedOptions,
  ): Promise<string[]> {
    const embeddings: string[] = Array.from({ length: rows.length });
    for (const batch of toBatches(rows.map(({ length }) => length))) {
      signal?.throwIfAborted();
      const batchRows = batch.map((at) => rows[at] as readonly number[]);
      const written = await this.run(EMBED, { model: choice, rows: batchRows, dimensions, format });
      for (const [index, at] of batch.entries()) embeddings[at] = written[index] as string;
    }
    return embeddings;
  }

  /** Unloads the model of a folder. Requests that run on it fail, unless its files are as they were. */
  async unload(directory: string): Promise<void> {
    if ((await this.threads.size()) > 0) await this.run(UNLOAD, directory);
  }

  /** Waits for the batch under way: to end a thread within the runtime would end the process. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.allSettled(this.running);
    await this.threads.close();
  }

  private async run<Input, Output>(task: Task<Input, Outcome<Output>>, input: Input): Promise<Output> {
    if (this.isClosed) throw new ServingClosedError();
    const running = this.threads.run(task, input).catch((error: Error) => {
      // Tasks report their own errors: the thread has ended, or could not start.
      throw this.isClosed ? new ServingClosedError() : new ServingCrashedError(error.message, { cause: error });
    });
    this.running.add(running);
    try {
      const outcome = await running;
      if ('failed' in outcome) throw fromErrorMessage(outcome.failed);
      return outcome.value;
    } finally {
      this.running.delete(running);
    }
  }
}

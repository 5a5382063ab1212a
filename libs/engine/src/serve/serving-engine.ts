import { availableParallelism } from 'node:os';

import type { GenerationEvent } from '../decode/batch/generation-event.js';
import type { GenerationRequest } from '../decode/batch/generation-request.js';
import { DEFAULT_MAX_STATES } from '../decode/constraints/grammar/ebnf.js';
import { DEFAULT_MAX_PARAMS } from '../model/index.js';
import { ServingClosedError, ServingCrashedError } from './serve.errors.js';
import type { CheckpointChoice, ModelChoice, ServedBaseInfo, ServingSettings } from './serve-messages.js';
import { ServingThread } from './serving-thread.js';
import { ThreadWatchdog } from './thread-watchdog.js';

export interface ServingEngineOptions extends Partial<ServingSettings> {
  /**
   * A thread that uses so much CPU time and answers nothing counts as hung: it is ended and started again. Default 15 s;
   * twenty times that while it opens a model. One that uses no CPU time has four times as long.
   */
  readonly silenceMs?: number;
}

/** Default of {@link ServingSettings.maxCheckpointBytes}. */
export const DEFAULT_MAX_CHECKPOINT_BYTES = 2 ** 30;

const DEFAULTS: ServingSettings = {
  threads: 1,
  packedThreads: Math.min(availableParallelism(), 8),
  weights: 'auto',
  maxRows: 64,
  maxCacheTokens: 131_072,
  maxPrefixTokens: 32_768,
  promptTokensPerTurn: 512,
  maxContextLength: 32_768,
  maxCheckpointBytes: DEFAULT_MAX_CHECKPOINT_BYTES,
  maxParams: DEFAULT_MAX_PARAMS,
  compileMs: 10_000,
  compileStates: DEFAULT_MAX_STATES,
};
/** A step is a native call of up to a second or so; no heartbeat is sent meanwhile. */
export const DEFAULT_SILENCE_MS = 15_000;
const LOOK_MS = 1_000;

/**
 * Generates with base models and their checkpoints, in a thread of its own: the event loop of the caller stays free.
 * When that thread dies, running requests fail with `engine.crashed`, it starts again and loads its base models.
 */
export class ServingEngine {
  private thread: ServingThread;
  private watchdog: ThreadWatchdog;
  private readonly bases = new Map<string, Promise<ServedBaseInfo>>();
  /** Base models that the thread has loaded before: a restart loads these, and none during which it died. */
  private readonly proven = new Set<string>();
  /** Generations that run on a base model, and what waits for their end. */
  private readonly running = new Map<string, { count: number; onIdle: (() => void)[] }>();
  private readonly watch: NodeJS.Timeout;
  private isClosed = false;

  private constructor(
    private readonly settings: ServingSettings,
    private readonly silenceMs: number,
  ) {
    this.thread = this.startThread();
    this.watchdog = new ThreadWatchdog(silenceMs);
    // Checked after pending messages were delivered: heartbeats that wait in the queue count.
    this.watch = setInterval(() => setImmediate(() => this.endHungThread()), Math.min(silenceMs, LOOK_MS));
    this.watch.unref();
  }

  static start({ silenceMs = DEFAULT_SILENCE_MS, ...settings }: ServingEngineOptions = {}): ServingEngine {
    return new ServingEngine({ ...DEFAULTS, ...settings }, silenceMs);
  }

  /**
   * Loads a base model, once; later calls return its properties.
   *
   * @param directory of the model, in the Hugging Face layout, or a name of `baseNameOf`: it names the model from now on
   * @throws EngineError with the codes of reading a base model (`engine.base_model_...`)
   */
  loadBase(directory: string): Promise<ServedBaseInfo> {
    const loading = this.bases.get(directory) ?? this.callLoad(directory);
    this.bases.set(directory, loading);
    loading.catch(() => this.bases.get(directory) === loading && this.bases.delete(directory));
    return loading;
  }

  /** Frees a base model and its checkpoints once the requests that run on it have ended; later ones fail. */
  async unloadBase(directory: string): Promise<void> {
    this.assertOpen();
    await this.whenIdle(directory);
    this.bases.delete(directory);
    this.proven.delete(directory);
    await this.thread.call({ type: 'unloadBase', directory });
  }

  private whenIdle(directory: string): Promise<void> {
    const running = this.running.get(directory);
    return running === undefined ? Promise.resolve() : new Promise((resolve) => running.onIdle.push(resolve));
  }

  /** @returns what ends it */
  private enter(directory: string): () => void {
    const running = this.running.get(directory) ?? { count: 0, onIdle: [] };
    running.count += 1;
    this.running.set(directory, running);
    return () => {
      running.count -= 1;
      if (running.count > 0) return;
      this.running.delete(directory);
      for (const resolve of running.onIdle) resolve();
    };
  }

  /**
   * Loads a checkpoint before the first request needs it.
   *
   * @throws EngineError `engine.base_not_loaded`, `storage.corrupt` and what else reading a checkpoint may find
   */
  async attach(base: string, checkpoint: CheckpointChoice): Promise<void> {
    this.assertOpen();
    await this.bases.get(base);
    await this.thread.call({ type: 'attach', model: { base, checkpoint } });
  }

  /**
   * Generates. Events: one `prompt`, then `text` and one `finish` per choice, in each choice's order. Leaving the
   * iteration, or the signal, ends the work within one token.
   *
   * @throws EngineError while iterating: `context_length_exceeded`, `engine.token_unknown`, `engine.prompt_empty`,
   * `engine.constraint_...`, `constraint_dead_end`, `engine.base_not_loaded`, `engine.crashed`, `engine.closed`,
   * or those of reading the checkpoint; the signal's reason when it aborts
   */
  async *generate(
    model: ModelChoice,
    request: GenerationRequest,
    signal?: AbortSignal,
  ): AsyncGenerator<GenerationEvent, void, undefined> {
    signal?.throwIfAborted();
    this.assertOpen();
    // After a restart the base may still be loading.
    const leave = this.enter(model.base);
    try {
      await this.bases.get(model.base);
      yield* abortable(this.thread.generate(model, request), signal);
    } finally {
      leave();
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearInterval(this.watch);
    await this.thread.stop(new ServingClosedError());
  }

  private startThread(): ServingThread {
    const thread: ServingThread = new ServingThread(this.settings, (reason) => this.restart(thread, reason));
    return thread;
  }

  private restart(dead: ServingThread, reason: Error): void {
    if (dead !== this.thread || this.isClosed) return;
    this.bases.clear();
    void dead.stop(new ServingCrashedError(reason.message, { cause: reason }));
    // A thread that could not start would not start the next time either.
    if (!dead.hasStarted) return;
    this.thread = this.startThread();
    this.watchdog = new ThreadWatchdog(this.silenceMs);
    for (const directory of this.proven) void this.loadBase(directory);
  }

  private endHungThread(): void {
    if (this.isClosed) return;
    const reason = this.watchdog.look(this.thread.state, performance.now());
    if (reason !== null) this.restart(this.thread, new Error(reason));
  }

  private async callLoad(directory: string): Promise<ServedBaseInfo> {
    this.assertOpen();
    const info = (await this.thread.call({ type: 'loadBase', directory })) as ServedBaseInfo;
    this.proven.add(directory);
    return info;
  }

  private assertOpen(): void {
    if (this.isClosed) throw new ServingClosedError();
  }
}

async function* abortable<T>(
  stream: AsyncIterable<T> & { abort(): void; end(error: Error): void },
  signal?: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  const onAbort = () => {
    stream.abort();
    stream.end(signal?.reason instanceof Error ? signal.reason : new Error('The request was aborted.'));
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) onAbort();
  try {
    yield* stream;
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

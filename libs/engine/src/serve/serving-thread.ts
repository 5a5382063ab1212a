import '../runtime/onnxruntime.config.js';

import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { BroadcastChannel, Worker } from 'node:worker_threads';

import { builtUrl } from '@hone/threads';

import type { GenerationEvent } from '../decode/batch/generation-event.js';
import type { GenerationRequest } from '../decode/batch/generation-request.js';
import { fromErrorMessage } from '../decode/error-message.js';
import { EventStream } from './event-stream.js';
import type { CheckpointOrder } from './loader/loader-messages.js';
import type {
  FromServing,
  GenerationUpdate,
  ModelChoice,
  ServedBaseInfo,
  ServingData,
  ServingSettings,
  ToServing,
} from './serve-messages.js';
import { cpuMsOf } from './thread-cpu-time.js';
import type { ThreadState } from './thread-watchdog.js';

type Call =
  | { readonly type: 'loadBase' | 'unloadBase'; readonly directory: string }
  | { readonly type: 'attach'; readonly model: ModelChoice };

interface PendingCall {
  readonly type: Call['type'];
  resolve(value: ServedBaseInfo | null): void;
  reject(error: Error): void;
}

interface RunningGeneration {
  readonly stream: EventStream<GenerationEvent>;
  /** Choices that have not finished. */
  left: number;
}

/** How long a stopping thread may take for its step under way; longer than any step takes. */
const STOP_TIMEOUT_MS = 5_000;

/** How many checkpoints are remembered as known to the thread. One that is forgotten is read once in vain. */
const MAX_ANNOUNCED = 10_000;

/** One instance of the serving thread. Its pending calls and generations fail when it dies. */
export class ServingThread {
  private readonly worker: Worker;
  /** To the thread's loader. */
  private readonly announcements: BroadcastChannel;
  /** Checkpoints that were announced. */
  private readonly announced = new Set<string>();
  private readonly calls = new Map<number, PendingCall>();
  private readonly generations = new Map<number, RunningGeneration>();
  private ids = 0;
  private messages = 0;
  private taskId: number | null = null;
  private ended: Error | null = null;
  /** @param onDeath called once, after everything pending has failed, unless {@link stop} ended it */
  constructor(
    private readonly settings: ServingSettings,
    private readonly onDeath: (reason: Error) => void,
  ) {
    const announcements = randomUUID();
    this.announcements = new BroadcastChannel(announcements);
    this.announcements.unref();
    this.worker = new Worker(builtUrl(import.meta.url, 'serving.worker'), {
      workerData: { settings, announcements } satisfies ServingData,
      // Most objects of a step are garbage after it: a small young generation keeps them out of the resident memory.
      resourceLimits: { maxYoungGenerationSizeMb: 12 },
    });
    this.worker.on('message', (message: FromServing) => this.receive(message));
    this.worker.once('error', (error) => this.onDeath(error));
    this.worker.once('exit', (code) => this.onDeath(new Error(`exit code ${code}`)));
  }

  /** The thread has sent at least one message. */
  get hasStarted(): boolean {
    return this.messages > 0;
  }

  /** State of the thread for the watchdog. */
  get state(): ThreadState {
    const isLoading = [...this.calls.values()].some(({ type }) => type !== 'unloadBase');
    return { messages: this.messages, isLoading, cpuMs: cpuMsOf(this.taskId) };
  }

  call(call: Call): Promise<ServedBaseInfo | null> {
    if (this.ended !== null) return Promise.reject(this.ended);
    const id = this.ids++;
    if (call.type === 'attach') this.announce(call.model);
    this.post({ ...call, call: id });
    return new Promise((resolve, reject) => this.calls.set(id, { type: call.type, resolve, reject }));
  }

  generate(model: ModelChoice, request: GenerationRequest): EventStream<GenerationEvent> & { abort: () => void } {
    const id = this.ids++;
    const abort = () => {
      if (this.generations.delete(id)) this.post({ type: 'abort', id });
    };
    const send = (type: 'pause' | 'resume') => () => {
      if (this.generations.has(id)) this.post({ type, id });
    };
    const flowControl = { pause: send('pause'), resume: send('resume') };
    const stream = Object.assign(new EventStream<GenerationEvent>(abort, flowControl), { abort });
    if (this.ended !== null) {
      stream.end(this.ended);
      return stream;
    }
    this.generations.set(id, { stream, left: request.choices });
    this.announce(model);
    this.post({ type: 'generate', id, model, request });
    return stream;
  }

  /** Tells the loader of a checkpoint that is new. The thread itself hears of it only when its step is done. */
  private announce({ base, checkpoint }: ModelChoice): void {
    if (checkpoint === null || this.announced.has(checkpoint.id)) return;
    if (this.announced.size === MAX_ANNOUNCED) this.announced.clear();
    this.announced.add(checkpoint.id);
    const { directory, sha256 } = checkpoint;
    const { weights } = this.settings;
    this.announcements.postMessage({ kind: 'checkpoint', base, weights, directory, sha256 } satisfies CheckpointOrder);
  }

  /**
   * Ends the thread; everything pending fails with `reason`.
   *
   * The thread gets a message instead of `terminate()`: termination inside a native call would end the whole process.
   * A thread that hangs in such a call is abandoned.
   */
  async stop(reason: Error): Promise<void> {
    this.worker.removeAllListeners('error').removeAllListeners('exit');
    // Errors of a stopping thread are ignored; without a listener they would end the process.
    this.worker.on('error', () => undefined);
    this.ended = reason;
    this.announcements.close();
    this.failAll(reason);
    if (this.worker.threadId < 0) return;
    const exit = new Promise((resolve) => this.worker.once('exit', resolve));
    this.post({ type: 'close' });
    const timeout = new AbortController();
    await Promise.race([
      exit,
      setTimeout(STOP_TIMEOUT_MS, null, { signal: timeout.signal, ref: false }).catch(() => null),
    ]);
    timeout.abort();
    this.worker.unref();
  }

  private failAll(reason: Error): void {
    for (const { reject } of this.calls.values()) reject(reason);
    for (const { stream } of this.generations.values()) stream.end(reason);
    this.calls.clear();
    this.generations.clear();
  }

  private post(message: ToServing): void {
    this.worker.postMessage(message);
  }

  private receive(message: FromServing): void {
    this.messages += 1;
    switch (message.type) {
      case 'updates':
        return message.updates.forEach((update) => this.deliver(update));
      case 'settled':
        this.calls.get(message.call)?.resolve(message.value);
        this.calls.delete(message.call);
        return;
      case 'failed':
        this.calls.get(message.call)?.reject(fromErrorMessage(message.error));
        this.calls.delete(message.call);
        return;
      case 'heartbeat':
        this.taskId = message.taskId;
        return;
    }
  }

  private deliver([id, event]: GenerationUpdate): void {
    const generation = this.generations.get(id);
    if (generation === undefined) return;
    if (!('kind' in event)) {
      this.generations.delete(id);
      return generation.stream.end(fromErrorMessage(event));
    }
    generation.stream.push(event);
    if (event.kind === 'finish' && --generation.left === 0) {
      this.generations.delete(id);
      generation.stream.end();
    }
  }
}

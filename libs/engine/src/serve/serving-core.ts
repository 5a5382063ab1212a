import { setImmediate } from 'node:timers/promises';

import type { GenerationSink } from '../decode/batch/generation-job.js';
import { Scheduler, type SubmittedJob } from '../decode/batch/scheduler.js';
import { toErrorMessage } from '../decode/error-message.js';
import type { FromServing, GenerationUpdate, ServedBaseInfo, ServingSettings, ToServing } from './serve-messages.js';
import type { ServedModels } from './served-models.js';

/** Events are batched into one message for at most this long: a message costs more than its content. */
const FLUSH_INTERVAL_MS = 2;

type Generate = Extract<ToServing, { type: 'generate' }>;

/** The event loop of the serving thread: answers messages, and runs the scheduler as long as there is work. */
export class ServingCore {
  private readonly scheduler: Scheduler;
  private readonly jobs = new Map<number, SubmittedJob>();
  private updates: GenerationUpdate[] = [];
  /** A reader waits for one of the updates, a first text or a last event: they are sent before the next step. */
  private isUrgent = false;
  private lastFlush = 0;
  private isClosing = false;
  private close: () => void = () => undefined;
  private readonly closed = new Promise<void>((resolve) => (this.close = resolve));

  constructor(
    private readonly models: ServedModels,
    settings: ServingSettings,
    private readonly post: (message: FromServing) => void,
  ) {
    this.scheduler = new Scheduler(settings);
  }

  receive(message: ToServing): void {
    switch (message.type) {
      case 'loadBase':
        return this.settle(message.call, this.models.loadBase(message.directory));
      case 'unloadBase':
        return this.settle(
          message.call,
          this.models.unloadBase(message.directory).then(() => null),
        );
      case 'attach':
        return this.settle(
          message.call,
          this.models.get(message.model).then(() => null),
        );
      case 'generate':
        return void this.generate(message);
      case 'abort':
        this.jobs.get(message.id)?.abort();
        this.jobs.delete(message.id);
        return;
      case 'pause':
      case 'resume':
        return this.jobs.get(message.id)?.pause(message.type === 'pause');
      case 'close':
        this.isClosing = true;
        this.close();
    }
  }

  /** Runs until the `close` message. On return no native call is under way, and the thread may end. */
  async run(): Promise<void> {
    while (!this.isClosing) {
      // Reads the messages that came during a turn before the next turn: a new request joins that step.
      await setImmediate();
      const woken = this.scheduler.whenWoken();
      const isBusy = await this.scheduler.turn();
      if (!isBusy || performance.now() - this.lastFlush >= FLUSH_INTERVAL_MS) this.flush();
      if (!isBusy) await Promise.race([woken, this.closed]);
    }
  }

  private settle(call: number, work: Promise<ServedBaseInfo | null>): void {
    work.then(
      (value) => this.post({ type: 'settled', call, value }),
      (error: unknown) => this.post({ type: 'failed', call, error: toErrorMessage(error) }),
    );
  }

  private async generate({ id, model: choice, request }: Generate): Promise<void> {
    let isAborted = false;
    this.jobs.set(id, { abort: () => void (isAborted = true), pause: () => undefined });
    const fail = (error: unknown) => {
      this.jobs.delete(id);
      this.updates.push([id, toErrorMessage(error)]);
      this.flushSoon();
    };
    try {
      const model = await this.models.get(choice);
      if (isAborted) return;
      this.jobs.set(id, this.scheduler.submit(request, model, this.sinkFor(id, request.choices, fail)));
    } catch (error) {
      fail(error);
    }
  }

  private sinkFor(id: number, choices: number, fail: (error: unknown) => void): GenerationSink {
    let left = choices;
    let hasText = false;
    return {
      fail,
      emit: (event) => {
        this.updates.push([id, event]);
        if (event.kind === 'finish' || (event.kind === 'text' && !hasText)) this.flushSoon();
        hasText ||= event.kind === 'text';
        if (event.kind === 'finish' && --left === 0) this.jobs.delete(id);
      },
    };
  }

  private flushSoon(): void {
    if (!this.isUrgent) queueMicrotask(() => this.flush());
    this.isUrgent = true;
  }

  private flush(): void {
    this.isUrgent = false;
    this.lastFlush = performance.now();
    if (this.updates.length === 0) return;
    this.post({ type: 'updates', updates: this.updates });
    this.updates = [];
  }
}

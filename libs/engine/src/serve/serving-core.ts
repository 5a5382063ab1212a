import type { GenerationSink } from '../decode/batch/generation-job.js';
import { Scheduler, type SubmittedJob } from '../decode/batch/scheduler.js';

import { toErrorMessage } from '../decode/error-message.js';
import type { FromServing, GenerationNews, ServedBaseInfo, ServingSettings, ToServing } from './serve-messages.js';
import type { ServedModels } from './served-models.js';

/** Tokens wait so long at most to travel together: a message costs more than what is in it. */
const TRAVEL_TOGETHER_MS = 2;

type Generate = Extract<ToServing, { type: 'generate' }>;

/** What the serving thread does: answers messages, and turns the scheduler as long as there is work. */
export class ServingCore {
  private readonly scheduler: Scheduler;
  private readonly jobs = new Map<number, SubmittedJob>();
  private news: GenerationNews[] = [];
  /** Something among the news is waited for: a first or a last event. */
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

  /** Works until it is told to close. Then no native call is under way, and the thread may end. */
  async run(): Promise<void> {
    while (!this.isClosing) {
      const woken = this.scheduler.whenWoken();
      const isBusy = await this.scheduler.turn();
      if (!isBusy || this.isUrgent || performance.now() - this.lastFlush >= TRAVEL_TOGETHER_MS) this.flush();
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
      this.isUrgent = true;
      this.news.push([id, toErrorMessage(error)]);
    };
    try {
      const model = await this.models.get(choice);
      if (isAborted) return;
      this.jobs.set(id, this.scheduler.submit(request, model, this.sinkFor(id, request.choices, fail)));
    } catch (error) {
      fail(error);
      this.flush();
    }
  }

  private sinkFor(id: number, choices: number, fail: (error: unknown) => void): GenerationSink {
    let left = choices;
    let hasText = false;
    return {
      fail,
      emit: (event) => {
        this.isUrgent ||= event.kind !== 'text' || !hasText;
        hasText ||= event.kind === 'text';
        this.news.push([id, event]);
        if (event.kind === 'finish' && --left === 0) this.jobs.delete(id);
      },
    };
  }

  private flush(): void {
    this.isUrgent = false;
    this.lastFlush = performance.now();
    if (this.news.length === 0) return;
    this.post({ type: 'news', news: this.news });
    this.news = [];
  }
}

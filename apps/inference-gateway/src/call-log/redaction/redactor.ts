import { Worker } from 'node:worker_threads';

import type { RedactionDto } from '@hone/contracts';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

import type { EntryTexts, RedactedTexts } from './redact-entry.js';
import type { FromRedaction, RedactionJob } from './redaction-messages.js';

/** Patterns take linear time; a call that takes longer than this is kept without content, so that no answer waits. */
const DEADLINE_MS = 5_000;
/** The thread loads its code. */
const START_MS = 60_000;

interface Waiting {
  readonly settle: (texts: RedactedTexts | null) => void;
}

/** Redacts calls in a thread of its own: a pattern takes a tenth of a second for a megabyte. */
@Injectable()
export class Redactor implements OnApplicationShutdown {
  private worker: Worker | null = null;
  private readonly waiting = new Map<number, Waiting>();
  /** The oldest job must end, or the thread must have begun, before it fires. */
  private deadline: NodeJS.Timeout | undefined;
  private ids = 0;

  constructor(private readonly deadlineMs = DEADLINE_MS) {}

  /**
   * @param isChanged another part of the call has changed
   * @returns null: it could not be done, so nothing of the texts may be kept
   */
  redact(rules: RedactionDto, texts: EntryTexts, isChanged = false): Promise<RedactedTexts | null> {
    const id = this.ids++;
    return new Promise((settle) => {
      this.waiting.set(id, { settle });
      if (this.worker === null) this.start();
      else if (this.waiting.size === 1) this.expectWithin(this.deadlineMs);
      this.worker?.postMessage({ id, rules, texts, isChanged } satisfies RedactionJob);
    });
  }

  async onApplicationShutdown(): Promise<void> {
    const { worker } = this;
    this.lose();
    await worker?.terminate();
  }

  private start(): void {
    const worker = new Worker(new URL('./redaction.worker.js', builtUrl(import.meta.url)));
    worker.unref();
    worker.on('message', (message: FromRedaction) => this.receive(message));
    worker.on('error', () => this.worker === worker && this.lose());
    worker.on('exit', () => this.worker === worker && this.lose());
    this.worker = worker;
    this.expectWithin(START_MS);
  }

  private receive(message: FromRedaction): void {
    if (message !== 'ready') {
      this.waiting.get(message.id)?.settle(message.texts);
      this.waiting.delete(message.id);
    }
    clearTimeout(this.deadline);
    if (this.waiting.size > 0) this.expectWithin(this.deadlineMs);
  }

  private expectWithin(ms: number): void {
    clearTimeout(this.deadline);
    this.deadline = setTimeout(() => {
      void this.worker?.terminate();
      this.lose();
    }, ms).unref();
  }

  /** What waits behind a job that takes too long would take too long as well. */
  private lose(): void {
    this.worker = null;
    clearTimeout(this.deadline);
    const lost = [...this.waiting.values()];
    this.waiting.clear();
    for (const { settle } of lost) settle(null);
  }
}

/** Specs run from sources, which Node cannot start: they get the last build. */
const builtUrl = (url: string): string => (url.endsWith('.ts') ? url.replace(/\/src\/(.*)\.ts$/, '/dist/$1.js') : url);

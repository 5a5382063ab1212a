import type { RedactionDto } from '@hone/contracts';
import { TaskThreads } from '@hone/threads';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

import type { EntryTexts, RedactedTexts } from './redact-entry.js';
import { TASK } from './redaction.task.js';

/** Patterns take linear time; a call that takes longer than this is kept without content, so that no answer waits. */
const LIMIT_MS = 5_000;
/** The one thread stays; its garbage goes after so long. */
const IDLE_MS = 30_000;
const MAX_HEAP_MIB = 2_048;

/** Redacts calls in a thread of its own, one at a time: a pattern takes a tenth of a second for a megabyte. */
@Injectable()
export class Redactor implements OnApplicationShutdown {
  private readonly threads = new TaskThreads({
    ...{ maxThreads: 1, keptThreads: 1, idleMs: IDLE_MS, maxHeapMiB: MAX_HEAP_MIB },
  });
  /** Ends every redaction that waits or runs. */
  private queue = new AbortController();

  constructor(private readonly limitMs = LIMIT_MS) {}

  /**
   * @param isChanged another part of the call has changed
   * @returns null: it could not be done, so nothing of the texts may be kept
   */
  async redact(rules: RedactionDto, texts: EntryTexts, isChanged = false): Promise<RedactedTexts | null> {
    const { queue, limitMs } = this;
    try {
      return await this.threads.run(TASK, { rules, texts, isChanged }, { signal: queue.signal, limitMs });
    } catch {
      // What waits behind a redaction that takes too long would take too long as well.
      if (queue === this.queue) this.queue = new AbortController();
      queue.abort();
      return null;
    }
  }

  onApplicationShutdown(): Promise<void> {
    return this.threads.close();
  }
}

import type { CallDocument, SearchedTexts } from '@hone/calls';
import { TaskThreads } from '@hone/threads';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

import { TASK } from './search-documents.task.js';

/** So little text takes this thread a few milliseconds, which is less than it takes another one to start. */
const MAX_HERE = 16_384;
const IDLE_MS = 30_000;
const MAX_HEAP_MIB = 1_024;

/** Finds the words of calls, in a thread of its own where there is much to read. */
@Injectable()
export class SearchDocuments implements OnApplicationShutdown {
  private readonly threads = new TaskThreads({ maxThreads: 1, idleMs: IDLE_MS, maxHeapMiB: MAX_HEAP_MIB });

  readonly read = async (texts: readonly SearchedTexts[]): Promise<CallDocument[]> => {
    const length = texts.reduce((sum, { inputs, output }) => sum + (inputs?.length ?? 0) + (output?.length ?? 0), 0);
    return length <= MAX_HERE ? TASK.run(texts) : this.threads.run(TASK, texts);
  };

  onApplicationShutdown(): Promise<void> {
    return this.threads.close();
  }
}

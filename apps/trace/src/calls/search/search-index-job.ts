import { setTimeout as rest } from 'node:timers/promises';

import { CallBackfillsRepository, CallSearchRepository, SEARCH_BATCH_CALLS } from '@hone/calls';
import { CALL_SEARCH_CHANNEL, NotificationListener } from '@hone/database';
import { PeriodicJob } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { SearchDocuments } from './search-documents.js';

/** Longest that a call waits for its words to be found when nobody searches. */
const INTERVAL_MS = 1_000;
/** Time of rest for each time of work while nobody waits for the words and much is written: a tenth of a processor is enough. */
const REST_AMID_WRITES = 9;
/** The same while little is written: what else the processor does has the other half of it. */
const REST_OTHERWISE = 1;
/** Writes of the values of calls, in all projects; a call that is started and ended apart has two. More of them are much. */
const LITTLE_PER_SECOND = 50;
/** Full batches of one project before others have their turn. */
const BATCHES_OF_TURN = 20;
/** Each is a row of a few hundred bytes. */
const CLEARED_ROWS = 5_000;

/**
 * Keeps calls searchable: first those that were just written, then, a batch at a time, those that were stored before. A
 * query that waits for calls of its project notifies the job. Several processes share the work by project.
 */
@Injectable()
export class SearchIndexJob extends PeriodicJob {
  /** Projects that are being dealt with because a query waits. */
  private readonly awaited = new Map<string, Promise<void>>();
  /** When it was last seen how many entries were ever put into the queue. */
  private seen = { atMs: performance.now(), queued: 0 };

  constructor(
    private readonly search: CallSearchRepository,
    private readonly backfills: CallBackfillsRepository,
    private readonly documents: SearchDocuments,
    private readonly notifications: NotificationListener,
  ) {
    super(INTERVAL_MS);
  }

  override onApplicationBootstrap(): void {
    super.onApplicationBootstrap();
    // Without the connection a query waits for the next run.
    void this.notifications.listen(CALL_SEARCH_CHANNEL, (project) => this.onAwaited(project)).catch(() => undefined);
  }

  /**
   * Deals with all there is, unless another process does already, or this one stops. Each kind of work has its turn: a
   * project that is written to all the time keeps neither the others nor the calls of before waiting.
   */
  async run(): Promise<void> {
    const backfill = this.search.backfill(this.documents.read);
    for (let isMore = true; isMore && !this.isStopping;) {
      isMore = false;
      for (const project of await this.search.waitingProjects()) if (await this.indexSome(project)) isMore = true;
      if (await this.atLeisure(() => this.backfills.step(backfill))) isMore = true;
      for (const project of await this.search.projectsToClear())
        if ((await this.search.deleteBatch(project, CLEARED_ROWS)) > 0) isMore = true;
    }
  }

  override onApplicationShutdown(): void {
    super.onApplicationShutdown();
    this.awaited.clear();
  }

  private onAwaited(project: string): void {
    if (this.awaited.has(project) || this.isStopping) return;
    const done = this.indexAll(project)
      .catch(() => undefined)
      .finally(() => this.awaited.delete(project));
    this.awaited.set(project, done);
  }

  /** @returns whether there may be more; what was written meanwhile has another turn */
  private async indexSome(project: string): Promise<boolean> {
    for (let turn = 0; turn < BATCHES_OF_TURN && !this.isStopping; turn++) {
      const count = await this.atLeisure(() => this.search.indexBatch(project, this.documents.read));
      if (count === null || count < SEARCH_BATCH_CALLS) return count !== null && count > 0;
    }
    return true;
  }

  /** Where much is written, finding its words must not keep the processor from writes: most of the time this one rests. */
  private async atLeisure<T>(work: () => Promise<T>): Promise<T | null> {
    const startMs = performance.now();
    const result = await work();
    if (result) await this.rest(performance.now() - startMs);
    return this.isStopping ? null : result;
  }

  private async rest(workMs: number): Promise<void> {
    const before = this.seen;
    this.seen = { queued: await this.search.countEverQueued(), atMs: performance.now() };
    const perSecond = (1_000 * (this.seen.queued - before.queued)) / (this.seen.atMs - before.atMs);
    const share = perSecond > LITTLE_PER_SECOND ? REST_AMID_WRITES : REST_OTHERWISE;
    await rest(workMs * share, undefined, { ref: false });
  }

  private async indexAll(project: string): Promise<void> {
    while (!this.isStopping && (await this.search.indexBatch(project, this.documents.read)));
  }
}

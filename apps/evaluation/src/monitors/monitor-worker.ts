import { CallSelector } from '@hone/call-queries';
import { DomainError, PeriodicJob, ValidationError } from '@hone/platform';
import { Injectable, Logger } from '@nestjs/common';

import { isDrawn } from '../judged-calls/draw.js';
import { ScoringsRepository } from '../scorings/scorings.repository.js';
import type { MonitorRecord } from './monitor.record.js';
import { MonitorQueueRepository } from './monitor-queue.repository.js';
import { MonitorsRepository } from './monitors.repository.js';

const EVERY_MS = 1_000;

/** Has the calls judged that monitors mean, as they come. Every replica does; a call is taken by one of them. */
@Injectable()
export class MonitorWorker extends PeriodicJob {
  private readonly logger = new Logger(MonitorWorker.name);

  constructor(
    private readonly queue: MonitorQueueRepository,
    private readonly monitors: MonitorsRepository,
    private readonly scorings: ScoringsRepository,
    private readonly selector: CallSelector,
  ) {
    super(EVERY_MS);
  }

  /** Until all that waits was looked at. */
  async run(): Promise<void> {
    for (const projectRowId of await this.queue.projects()) {
      const live = (await this.monitors.list(projectRowId)).filter(({ isPaused }) => !isPaused);
      while (!this.isStopping && (await this.queue.take(projectRowId, (ids) => this.look(live, ids))) > 0);
    }
  }

  private async look(live: readonly MonitorRecord[], callIds: readonly string[]): Promise<void> {
    for (const monitor of live) {
      const drawn = callIds.filter((id) => isDrawn(monitor.id, id, monitor.sampleRate));
      if (drawn.length > 0) await this.plan(monitor, drawn);
    }
  }

  private async plan(monitor: MonitorRecord, callIds: string[]): Promise<void> {
    const { projectId, projectRowId, selection } = monitor;
    const named = selection.filter?.call_ids;
    const ids = named?.length ? callIds.filter((id) => named.includes(id)) : callIds;
    if (ids.length === 0) return;
    try {
      const filter = { ...selection.filter, call_ids: ids };
      const compiled = this.selector.compile({ project_id: projectId, filter, query: selection.query ?? null });
      const meant = await this.selector.within(projectRowId, compiled);
      await this.queue.plan(monitor, await this.scorings.openDay(monitor), meant);
    } catch (error) {
      // A condition that another version of Hone took: the other monitors go on.
      if (!(error instanceof DomainError || error instanceof ValidationError)) throw error;
      this.logger.warn(`Monitor ${monitor.id} cannot tell which calls it means: ${error.message}`);
    }
  }
}

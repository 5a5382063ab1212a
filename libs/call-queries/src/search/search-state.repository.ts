import { setTimeout as sleep } from 'node:timers/promises';

import { CALL_SEARCH_BACKFILL } from '@hone/calls';
import { CALL_SEARCH_CHANNEL, Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { SearchIncompleteError, SearchOffError } from './search.errors.js';

/** Longest wait of a query for calls that were written before it. */
const MAX_WAIT_MS = 2_000;
const POLL_MS = 20;
/** With more calls before it a query does not wait: that many do not become searchable meanwhile. */
const MAX_WAITED_CALLS = 3_000;

/** How much of a project is searchable. */
export interface SearchState {
  isOn: boolean;
  /** Calls that were stored before search was on are being added. */
  isBuilding: boolean;
  /** Writes of calls that are not in the index yet, counted up to 100,000. */
  waiting: number;
}

const MAX_COUNTED = 100_000;

/** Whether what a query searches is in the index. */
@Injectable()
export class SearchStateRepository {
  constructor(private readonly database: Database) {}

  /**
   * Returns once all calls that are stored now are searchable, or after a moment.
   *
   * @param mustBeWhole whether calls that are missing are an error
   * @throws SearchOffError, SearchIncompleteError
   */
  async settle(projectRowId: string, mustBeWhole: boolean): Promise<void> {
    const { isOn, isBuilding, waiting } = await this.find(projectRowId, MAX_WAITED_CALLS + 1);
    if (!isOn) throw new SearchOffError();
    const isReached = waiting === 0 || (waiting <= MAX_WAITED_CALLS && (await this.reach(projectRowId)));
    if (mustBeWhole && (isBuilding || !isReached)) throw new SearchIncompleteError();
  }

  async find(projectRowId: string, mostCounted = MAX_COUNTED): Promise<SearchState> {
    const [row] = await this.database.client.$queryRaw<SearchState[]>`
      SELECT NOT EXISTS (SELECT FROM project_settings WHERE project_id = ${projectRowId}::uuid AND search = false) AS "isOn",
        EXISTS (SELECT FROM call_backfills WHERE project_id = ${projectRowId}::uuid AND name = ${CALL_SEARCH_BACKFILL}
          AND finished_at IS NULL) AS "isBuilding",
        (SELECT count(*)::int FROM (SELECT FROM call_search_queue WHERE project_id = ${projectRowId}::uuid
          LIMIT ${mostCounted}) w) AS waiting`;
    return row as SearchState;
  }

  /** Waits for what is in the queue now. @returns whether it is done */
  private async reach(projectRowId: string): Promise<boolean> {
    const [last] = await this.database.client.$queryRaw<{ seq: bigint | null }[]>`
      SELECT max(seq) AS seq FROM call_search_queue WHERE project_id = ${projectRowId}::uuid`;
    const seq = last?.seq ?? null;
    if (seq === null) return true;
    await this.database.detached(() => this.database.notify(CALL_SEARCH_CHANNEL, projectRowId));
    for (const end = performance.now() + MAX_WAIT_MS; performance.now() < end; await sleep(POLL_MS)) {
      const [row] = await this.database.client.$queryRaw<{ isLeft: boolean }[]>`
        SELECT EXISTS (SELECT FROM call_search_queue WHERE project_id = ${projectRowId}::uuid AND seq <= ${seq}) AS "isLeft"`;
      if (!row?.isLeft) return true;
    }
    return false;
  }
}

import { Database, RefreshingCache } from '@hone/database';
import { Injectable } from '@nestjs/common';

export interface QueueFigures {
  readonly item: 'verdict' | 'cell' | 'prompt_edit';
  /** How many wait or are in flight. */
  readonly waiting: number;
  /** For how long the one has been due that has waited longest; 0: none waits. */
  readonly ageSeconds: number;
}

export interface MonitorFigures {
  readonly state: 'live' | 'paused' | 'budget_spent' | 'failed';
  readonly monitors: number;
}

/** So old a figure may be: several gauges, and several scrapers, share one query. */
const FRESH_MS = 3_000;
/** A query that failed is not answered with older figures. */
const CACHE = { max: 1, freshMs: FRESH_MS, staleMs: 0, retryMs: 0 };
const KEY = 'all';

/** What waits, over all projects and replicas. */
@Injectable()
export class QueueFiguresRepository {
  private readonly queueCache = new RefreshingCache<readonly QueueFigures[]>(CACHE);
  private readonly monitorCache = new RefreshingCache<readonly MonitorFigures[]>(CACHE);

  constructor(private readonly database: Database) {}

  async queues(): Promise<readonly QueueFigures[]> {
    return (await this.queueCache.get(KEY, () => this.readQueues())) ?? [];
  }

  async monitors(): Promise<readonly MonitorFigures[]> {
    return (await this.monitorCache.get(KEY, () => this.readMonitors())) ?? [];
  }

  /** From the indexes of what is due. */
  private readQueues(): Promise<QueueFigures[]> {
    return this.database.client.$queryRaw<QueueFigures[]>`
      SELECT 'verdict' AS item, count(*)::int AS waiting, coalesce(extract(epoch FROM
        now() - min(available_at) FILTER (WHERE state = 'pending' AND available_at <= now())), 0)::float8 AS "ageSeconds"
      FROM verdicts WHERE state IN ('pending', 'running')
      UNION ALL
      SELECT 'cell', count(*)::int, coalesce(extract(epoch FROM
        now() - min(available_at) FILTER (WHERE state = 'pending' AND available_at <= now())), 0)::float8
      FROM evaluation_cells WHERE state IN ('pending', 'running')
      UNION ALL
      SELECT 'prompt_edit', count(*)::int, coalesce(extract(epoch FROM
        now() - min(available_at) FILTER (WHERE state = 'pending' AND available_at <= now())), 0)::float8
      FROM prompt_edit_items WHERE state IN ('pending', 'running')`;
  }

  /** A monitor that spent its budget of today (UTC), or failed, judges nothing more today. */
  private readMonitors(): Promise<MonitorFigures[]> {
    return this.database.client.$queryRaw<MonitorFigures[]>`
      SELECT state, count(m.id)::int AS monitors FROM unnest(ARRAY['live', 'paused', 'budget_spent', 'failed']) AS state
      LEFT JOIN (
        SELECT m.id, CASE WHEN m.is_paused THEN 'paused' WHEN s.status IN ('budget_spent', 'failed') THEN s.status ELSE 'live' END AS is
        FROM monitors m LEFT JOIN scorings s ON s.monitor_id = m.id AND s.scorer_digest = m.scorer_digest
          AND s.monitor_day = (now() AT TIME ZONE 'UTC')::date) m ON m.is = state
      GROUP BY 1`;
  }
}

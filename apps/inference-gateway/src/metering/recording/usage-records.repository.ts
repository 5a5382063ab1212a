import {
  CallTreeRepository,
  childKeysOf,
  type ChunkKeys,
  FileRepository,
  isLargeCall,
  newCalls,
  projectOfRow,
  putLargeParts,
  ValueRepository,
  type WholeCall,
} from '@hone/calls';
import { Database, Prisma, sqlStateOf } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { CallLog } from '../../call-log/call-log.service.js';
import { splitRecord } from '../../call-log/journalled-entry.js';
import { LargeEntries } from '../../call-log/large-entries.js';
import { type LoggedCall, withoutContent } from '../../call-log/logged-call.js';
import { RecordList } from '../journal/record-list.js';
import { UsageRecordsRejectedError } from './metering.errors.js';
import { UsagePartitionsRepository } from './usage-partitions.repository.js';

/** SQLSTATE of a row without a partition, among others. */
const CHECK_VIOLATION = '23514';
/** SQLSTATE classes: data exception, integrity constraint violation. */
const BAD_DATA = /^2[23]/;

/** SQLSTATE (a division by zero) of a batch of which another process has just stored a call: the next try sees that one. */
const CALL_MISSING = '22012';
const MAX_TRIES = 3;
/** Fails unless each record has its call: a part of a batch is never stored. */
const ALL_CALLS = Prisma.sql`
  SELECT 1 / ((SELECT count(*) FROM new_calls) = (SELECT count(*) FROM call_rows))::int`;
/** Records with large calls in one batch. */
const MAX_LARGE = 4;

@Injectable()
export class UsageRecordsRepository {
  constructor(
    private readonly database: Database,
    private readonly partitions: UsagePartitionsRepository,
    private readonly log: CallLog,
    private readonly values: ValueRepository,
    private readonly files: FileRepository,
    private readonly tree: CallTreeRepository,
  ) {}

  /**
   * Stores records with their calls and adds them to the sums (rollups) of hours, months, days and models, all or nothing. Idempotent: a
   * record that is stored already changes nothing.
   *
   * @param records in the form of {@link recordJson}, with the entry of the call
   * @throws UsageRecordsRejectedError one of the records does not fit
   */
  async insertAll(records: RecordList): Promise<void> {
    const logged = records.hasEntries ? records.views().map(splitRecord) : [];
    // What is large is read into memory: a few at a time.
    if (logged.filter(({ entry }) => entry !== null && LargeEntries.isInFile(entry)).length > MAX_LARGE) {
      for (let at = 0; at < records.length; at += MAX_LARGE) await this.insertAll(records.slice(at, at + MAX_LARGE));
      return;
    }
    const usages = records.hasEntries ? RecordList.of(logged.map((one) => one.usage)) : records;
    const usage = usages.toJson();
    const calls = await this.log.read(logged);
    await this.insertWithCalls(usage, calls).catch((error: unknown) => {
      if (!(error instanceof UsageRecordsRejectedError) || records.length > 1 || calls.length === 0) throw error;
      // Usage is never lost for what a request or an answer says.
      return this.insertWithCalls(usage, calls.map(withoutContent));
    });
    await this.tree.settle(calls.flatMap(({ row }) => childKeysOf(row)));
    await this.log.committed(logged);
  }

  private async insertWithCalls(usage: Buffer, calls: readonly LoggedCall[]): Promise<void> {
    for (let triesLeft = MAX_TRIES; ; triesLeft--) {
      try {
        await this.insert(usage, calls);
        return;
      } catch (error) {
        const code = sqlStateOf(error) ?? '';
        if (triesLeft > 0 && code === CHECK_VIOLATION) await this.partitions.createAll(daysOf(usage));
        else if (triesLeft === 0 || code !== CALL_MISSING)
          throw BAD_DATA.test(code) && code !== CALL_MISSING ? new UsageRecordsRejectedError(code, error) : error;
      }
    }
  }

  /** Files, and values that are too large for a row, are stored in the same transaction. */
  private insert(usage: Buffer, calls: readonly LoggedCall[]): Promise<number> {
    const hasFiles = calls.some(({ files }) => files.length > 0);
    if (!hasFiles && !calls.some(isLargeCall)) return this.store(usage, calls, new Map());
    return this.database.transaction(async () => {
      for (const { row, files } of calls) for (const bytes of files) await this.files.put(projectOfRow(row), bytes);
      return this.store(usage, calls, await putLargeParts(calls, this.values));
    });
  }

  /**
   * One statement: one transaction and one round trip. It locks records, then hours, months, days and models, each in key
   * order, so that two gateways cannot deadlock. Records of earlier versions name no route: what was asked for counts as the model.
   */
  private store(usage: Buffer, calls: readonly WholeCall[], chunks: ChunkKeys): Promise<number> {
    return this.database.executeBulk(Prisma.sql`
      WITH stored AS (
        INSERT INTO usage_records (
          day, uid, started_at, rid, response_id, key_id, user_id, project_id, model_asked, model_answered, target,
          route, checkpoint_id, is_stream, status, error_code, attempts, prompt_tokens, cached_tokens, cache_write_tokens,
          completion_tokens, reasoning_tokens, source, price_prompt, price_cached, price_cache_write, price_completion,
          price_reasoning, cost_nano_usd, is_billed, ttft_ms, duration_ms)
        SELECT ("startedAt" AT TIME ZONE 'UTC')::date AS day, uid, "startedAt", rid, "responseId", "keyId", "userId",
          "projectId", "modelAsked", "modelAnswered", target, route, "checkpointId", coalesce("isStream", false), status,
          "errorCode", attempts, coalesce("promptTokens", 0), coalesce("cachedTokens", 0),
          coalesce("cacheWriteTokens", 0), coalesce("completionTokens", 0), coalesce("reasoningTokens", 0), source,
          coalesce("pricePrompt", 0), coalesce("priceCached", 0), "priceCacheWrite", coalesce("priceCompletion", 0),
          "priceReasoning", coalesce("costNanoUsd", 0), coalesce("isBilled", false), "ttftMs", "durationMs"
        FROM json_to_recordset(${usage}::json) AS record (
          uid uuid, "startedAt" timestamptz, rid text, "responseId" text, "keyId" uuid, "userId" uuid, "projectId" uuid,
          "modelAsked" text, "modelAnswered" text, target text, route text, "checkpointId" uuid, "isStream" boolean, status text,
          "errorCode" text, attempts jsonb, "promptTokens" int, "cachedTokens" int, "cacheWriteTokens" int,
          "completionTokens" int, "reasoningTokens" int, source text, "pricePrompt" bigint, "priceCached" bigint,
          "priceCacheWrite" bigint, "priceCompletion" bigint, "priceReasoning" bigint, "costNanoUsd" bigint,
          "isBilled" boolean, "ttftMs" int, "durationMs" int)
        ORDER BY day, uid
        ON CONFLICT (day, uid) DO NOTHING
        RETURNING *
      ), hours AS (
        INSERT INTO usage_hours AS h (
          project_id, hour, model, key_id, requests, errors, aborted, prompt_tokens, cached_tokens, completion_tokens,
          reasoning_tokens, cost_nano_usd, timed, duration_ms)
        SELECT project_id, date_trunc('hour', started_at, 'UTC') AS hour, coalesce(model_answered, model_asked) COLLATE "C" AS model,
          key_id, count(*), count(*) FILTER (WHERE status = 'error'), count(*) FILTER (WHERE status = 'aborted'),
          sum(prompt_tokens), sum(cached_tokens), sum(completion_tokens), sum(reasoning_tokens), sum(cost_nano_usd),
          count(*) FILTER (WHERE status = 'ok'), coalesce(sum(duration_ms) FILTER (WHERE status = 'ok'), 0)
        FROM stored GROUP BY project_id, hour, model, key_id
        ORDER BY project_id, hour, model, key_id
        ON CONFLICT (project_id, hour, model, key_id) DO UPDATE SET
          requests = h.requests + EXCLUDED.requests, errors = h.errors + EXCLUDED.errors,
          aborted = h.aborted + EXCLUDED.aborted, prompt_tokens = h.prompt_tokens + EXCLUDED.prompt_tokens,
          cached_tokens = h.cached_tokens + EXCLUDED.cached_tokens,
          completion_tokens = h.completion_tokens + EXCLUDED.completion_tokens,
          reasoning_tokens = h.reasoning_tokens + EXCLUDED.reasoning_tokens,
          cost_nano_usd = h.cost_nano_usd + EXCLUDED.cost_nano_usd,
          timed = h.timed + EXCLUDED.timed, duration_ms = h.duration_ms + EXCLUDED.duration_ms
      ), months AS (
        INSERT INTO usage_months AS m (scope, subject_id, month, cost_nano_usd)
        SELECT subject.scope, subject.id, date_trunc('month', day)::date AS month, sum(cost_nano_usd)
        FROM stored, LATERAL (VALUES ('key', key_id), ('project', project_id)) AS subject (scope, id)
        WHERE cost_nano_usd > 0 GROUP BY subject.scope, subject.id, month
        ORDER BY subject.scope, subject.id, month
        ON CONFLICT (scope, subject_id, month) DO UPDATE SET cost_nano_usd = m.cost_nano_usd + EXCLUDED.cost_nano_usd
      ), days AS (
        INSERT INTO usage_days AS d (scope, subject_id, day, cost_nano_usd)
        SELECT subject.scope, subject.id, day, sum(cost_nano_usd)
        FROM stored, LATERAL (VALUES ('key', key_id), ('project', project_id)) AS subject (scope, id)
        WHERE cost_nano_usd > 0 GROUP BY subject.scope, subject.id, day
        ORDER BY subject.scope, subject.id, day
        ON CONFLICT (scope, subject_id, day) DO UPDATE SET cost_nano_usd = d.cost_nano_usd + EXCLUDED.cost_nano_usd
      ), models AS (
        INSERT INTO usage_models AS u (scope, subject_id, period, since, model, cost_nano_usd)
        SELECT subject.scope, subject.id, period.name, period.since, coalesce(route, model_asked) COLLATE "C" AS model,
          sum(cost_nano_usd)
        FROM stored, LATERAL (VALUES ('key', key_id), ('project', project_id)) AS subject (scope, id),
          LATERAL (VALUES ('day', day), ('month', date_trunc('month', day)::date)) AS period (name, since)
        WHERE cost_nano_usd > 0 GROUP BY subject.scope, subject.id, period.name, period.since, model
        ORDER BY subject.scope, subject.id, period.name, period.since, model
        ON CONFLICT (scope, subject_id, period, since, model)
          DO UPDATE SET cost_nano_usd = u.cost_nano_usd + EXCLUDED.cost_nano_usd
      ) ${calls.length === 0 ? Prisma.sql`SELECT` : Prisma.sql`, ${newCalls(calls, chunks)} ${ALL_CALLS}`}`);
  }
}

const daysOf = (usage: Buffer): string[] => [
  ...new Set((JSON.parse(usage.toString()) as { startedAt: string }[]).map(({ startedAt }) => startedAt.slice(0, 10))),
];

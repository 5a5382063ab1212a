import { Injectable } from '@nestjs/common';
import { Database, Prisma } from '@hone/database';

import type { RecordList } from '../journal/record-list.js';
import { UsagePartitionsRepository } from './usage-partitions.repository.js';
import { UsageRecordsRejectedError } from './usage-records.errors.js';

/** SQLSTATE of a row without a partition, among others. */
const CHECK_VIOLATION = '23514';
/** SQLSTATE classes: data exception, integrity constraint violation. */
const BAD_DATA = /^2[23]/;

@Injectable()
export class UsageRecordsRepository {
  constructor(
    private readonly database: Database,
    private readonly partitions: UsagePartitionsRepository,
  ) {}

  /**
   * Stores records and adds them to the hourly and monthly sums (rollups), all or nothing. Idempotent: a record that is
   * stored already changes nothing.
   *
   * @param records in the form of {@link recordJson}
   * @throws UsageRecordsRejectedError one of the records does not fit
   */
  async insertAll(records: RecordList): Promise<void> {
    try {
      await this.#insert(records).catch(async (error: unknown) => {
        if (codeOf(error) !== CHECK_VIOLATION) throw error;
        await this.partitions.createAll(daysOf(records));
        await this.#insert(records);
      });
    } catch (error) {
      throw BAD_DATA.test(codeOf(error)) ? new UsageRecordsRejectedError(codeOf(error), error) : error;
    }
  }

  /**
   * One statement: one transaction and one round trip. It locks records, then hours, then months, each in key order, so
   * that two gateways cannot deadlock.
   */
  async #insert(records: RecordList): Promise<void> {
    await this.database.executeBulk(Prisma.sql`
      WITH stored AS (
        INSERT INTO usage_records (
          day, uid, started_at, rid, response_id, key_id, user_id, project_id, model_asked, model_answered, target,
          checkpoint_id, is_stream, status, error_code, attempts, prompt_tokens, cached_tokens, completion_tokens,
          reasoning_tokens, source, price_prompt, price_cached, price_completion, cost_nano_usd, is_billed, ttft_ms,
          duration_ms)
        SELECT ("startedAt" AT TIME ZONE 'UTC')::date AS day, uid, "startedAt", rid, "responseId", "keyId", "userId",
          "projectId", "modelAsked", "modelAnswered", target, "checkpointId", coalesce("isStream", false), status,
          "errorCode", attempts, coalesce("promptTokens", 0), coalesce("cachedTokens", 0),
          coalesce("completionTokens", 0), coalesce("reasoningTokens", 0), source, coalesce("pricePrompt", 0),
          coalesce("priceCached", 0), coalesce("priceCompletion", 0), coalesce("costNanoUsd", 0),
          coalesce("isBilled", false), "ttftMs", "durationMs"
        FROM json_to_recordset(${records.toJson()}::json) AS record (
          uid uuid, "startedAt" timestamptz, rid text, "responseId" text, "keyId" uuid, "userId" uuid, "projectId" uuid,
          "modelAsked" text, "modelAnswered" text, target text, "checkpointId" uuid, "isStream" boolean, status text,
          "errorCode" text, attempts jsonb, "promptTokens" int, "cachedTokens" int, "completionTokens" int,
          "reasoningTokens" int, source text, "pricePrompt" bigint, "priceCached" bigint, "priceCompletion" bigint,
          "costNanoUsd" bigint, "isBilled" boolean, "ttftMs" int, "durationMs" int)
        ORDER BY day, uid
        ON CONFLICT (day, uid) DO NOTHING
        RETURNING *
      ), hours AS (
        INSERT INTO usage_hours AS h (
          project_id, hour, model, key_id, requests, errors, aborted, prompt_tokens, cached_tokens, completion_tokens,
          reasoning_tokens, cost_nano_usd)
        SELECT project_id, date_trunc('hour', started_at, 'UTC') AS hour, coalesce(model_answered, model_asked) COLLATE "C" AS model,
          key_id, count(*), count(*) FILTER (WHERE status = 'error'), count(*) FILTER (WHERE status = 'aborted'),
          sum(prompt_tokens), sum(cached_tokens), sum(completion_tokens), sum(reasoning_tokens), sum(cost_nano_usd)
        FROM stored GROUP BY project_id, hour, model, key_id
        ORDER BY project_id, hour, model, key_id
        ON CONFLICT (project_id, hour, model, key_id) DO UPDATE SET
          requests = h.requests + EXCLUDED.requests, errors = h.errors + EXCLUDED.errors,
          aborted = h.aborted + EXCLUDED.aborted, prompt_tokens = h.prompt_tokens + EXCLUDED.prompt_tokens,
          cached_tokens = h.cached_tokens + EXCLUDED.cached_tokens,
          completion_tokens = h.completion_tokens + EXCLUDED.completion_tokens,
          reasoning_tokens = h.reasoning_tokens + EXCLUDED.reasoning_tokens,
          cost_nano_usd = h.cost_nano_usd + EXCLUDED.cost_nano_usd
      )
      INSERT INTO usage_months AS m (scope, subject_id, month, cost_nano_usd)
      SELECT subject.scope, subject.id, date_trunc('month', day)::date AS month, sum(cost_nano_usd)
      FROM stored, LATERAL (VALUES ('key', key_id), ('project', project_id)) AS subject (scope, id)
      WHERE cost_nano_usd > 0 GROUP BY subject.scope, subject.id, month
      ORDER BY subject.scope, subject.id, month
      ON CONFLICT (scope, subject_id, month) DO UPDATE SET cost_nano_usd = m.cost_nano_usd + EXCLUDED.cost_nano_usd`);
  }
}

const codeOf = (error: unknown): string => (error as { code?: string } | null)?.code ?? '';

const daysOf = (records: RecordList): string[] => [
  ...new Set(records.texts().map((record) => (JSON.parse(record) as { startedAt: string }).startedAt.slice(0, 10))),
];

import { CallTreeRepository, CallWriteRepository, toJsonDraft, ValueRepository } from '@hone/calls';
import { derivedEnd, derivedStart } from '@hone/calls/derived';
import { contentDigest, type JsonObject, type JsonValue, stringifyJson, tableDigest } from '@hone/contracts';
import { newId } from '@hone/database';
import type { TestApp } from '@hone/testing';

export const PROJECT = 'acme/judged';
const START_MS = Date.UTC(2026, 10, 1);

/** What a call of a spec says; the rest is made up. */
export interface ACall {
  readonly inputs?: JsonValue;
  readonly output?: JsonValue;
  readonly user?: string;
  readonly isRunning?: boolean;
  readonly latencyMs?: number;
  readonly id?: string;
  readonly parentId?: string;
  readonly traceId?: string;
  /** Name of the op, or what else is called. */
  readonly opName?: string;
  readonly attributes?: JsonObject;
  readonly summary?: JsonObject;
  readonly exception?: string;
}

type Target = Pick<TestApp, 'db' | 'sql' | 'writer'>;

/** A project with calls and scorers, as the trace service would have stored them. */
export class JudgedProject {
  private count = 0;

  private constructor(
    private readonly app: Target,
    readonly rowId: string,
    private readonly projectId: string,
  ) {}

  static async of(app: Target, projectId = PROJECT): Promise<JudgedProject> {
    const [entity, name] = projectId.split('/');
    const [row] = await app.sql<{ id: string }>(
      `INSERT INTO projects (id, entity_id, name, created_by) SELECT $1, id, $2, $3 FROM entities WHERE name = $4
       ON CONFLICT (entity_id, name) DO UPDATE SET name = $2 RETURNING id`,
      [newId(), name, app.writer.id, entity],
    );
    return new JudgedProject(app, row?.id as string, projectId);
  }

  /** Stores calls, a second after each other. @returns their ids */
  async addCalls(...calls: readonly ACall[]): Promise<string[]> {
    const { db } = this.app;
    const drafts = calls.map((call) => this.draftOf(call, this.count++));
    await new CallWriteRepository(db, new ValueRepository(db), new CallTreeRepository(db)).save(drafts);
    return drafts.map(({ id }) => id);
  }

  /** Stores a version of a scorer. @returns its digest */
  addScorer(objectId: string, definition: object | null): Promise<string> {
    return this.addInstance(objectId, 'Scorer', definition && { definition });
  }

  /** Stores a dataset. @returns digests of its rows */
  async addDataset(objectId: string, rows: readonly JsonObject[]): Promise<string[]> {
    const digests = rows.map((row) => contentDigest(row));
    const table = tableDigest(digests);
    for (const [at, row] of rows.entries())
      await this.app.sql(
        `INSERT INTO table_rows (project_id, digest, val_text, size_bytes) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
        [this.rowId, digests[at], stringifyJson(row), stringifyJson(row).length],
      );
    await this.app.sql(
      `WITH made AS (
         INSERT INTO table_versions (project_id, digest, row_count, created_at) VALUES ($1, $2, $3, now())
         ON CONFLICT DO NOTHING RETURNING 1)
       INSERT INTO table_chunks (project_id, digest, chunk_no, row_digests) SELECT $1, $2, 0, $4 FROM made`,
      [this.rowId, table, rows.length, digests],
    );
    await this.addInstance(objectId, 'Dataset', { rows: `hone:///${this.projectId}/table/${table}` });
    return digests;
  }

  /** Stores a version of an object of a class of Hone's own. @returns its digest */
  addInstance(objectId: string, className: string, members: object | null): Promise<string> {
    const val = {
      _type: className,
      _class_name: className,
      _bases: ['Object', 'BaseModel'],
      name: objectId,
      ...members,
    };
    return this.addObject(objectId, val as unknown as JsonObject);
  }

  /** Stores an annotation field. @returns its digest */
  addField(objectId: string): Promise<string> {
    return this.addInstance(objectId, 'AnnotationSpec', null);
  }

  /** Stores what a scorer found about a call, as its feedback says it. @param runnable `<scorer>:<digest>` */
  async addVerdict(runnable: string, callId: string, output: object): Promise<void> {
    await this.app.sql(
      `INSERT INTO feedback (project_id, id, created_at, svc_user_id, feedback_type, trace_ref, runnable_ref, payload_json,
         scorer_tags, scorer_tag_reasons, scorer_tag_confidences, scorer_ratings, scorer_rating_reasons, scorer_rating_confidences)
       VALUES ($1, $2, now(), $3, $4, $5, $6, $7, '{}', '{}', '{}', '{}', '{}', '{}')`,
      [
        ...[this.rowId, newId(), this.app.writer.id, `hone.runnable.${runnable.split(':')[0]}`],
        ...[`${this.projectId}/call/${callId}`, `${this.projectId}/object/${runnable}`, JSON.stringify({ output })],
      ],
    );
  }

  /** Stores a version of an object. @returns its digest */
  async addObject(objectId: string, val: JsonObject): Promise<string> {
    const digest = contentDigest(val);
    const text = JSON.stringify(val);
    await this.app.sql(
      `WITH head AS (
         INSERT INTO object_heads (project_id, object_id, next_version_index, latest_digest, latest_created_at, latest_version_index)
         VALUES ($1, $2, 1, $3, now(), 0) ON CONFLICT (project_id, object_id) DO UPDATE SET latest_digest = $3,
           next_version_index = object_heads.next_version_index + 1, latest_version_index = object_heads.next_version_index
         RETURNING next_version_index)
       INSERT INTO object_versions (project_id, object_id, digest, version_index, created_at, kind, base_object_class,
         leaf_object_class, svc_user_id, val_text, size_bytes)
       SELECT $1, $2, $3, next_version_index - 1, now(), 'object', $7, $7, $4, $5, $6 FROM head ON CONFLICT DO NOTHING`,
      [this.rowId, objectId, digest, this.app.writer.id, text, text.length, val['_class_name'] ?? null],
    );
    return digest;
  }

  /** Stores usage records of requests, as the gateway does. @param requestIds their ids */
  async addUsage(requestIds: readonly string[], costNanoUsd = 1_000_000): Promise<void> {
    await this.app.sql(`CREATE TABLE IF NOT EXISTS usage_today PARTITION OF usage_records DEFAULT`);
    await this.app.sql(
      `INSERT INTO usage_records (day, uid, started_at, rid, key_id, user_id, project_id, model_asked, is_stream, status, attempts,
         prompt_tokens, cached_tokens, completion_tokens, reasoning_tokens, price_prompt, price_cached, price_completion,
         cost_nano_usd, is_billed, duration_ms)
       SELECT (now() AT TIME ZONE 'UTC')::date, gen_random_uuid(), now(), rid, $1, $2, $3, 'judge', false, 'ok', '[]', 1, 0, 1, 0, 0,
         0, 0, $4, true, 1 FROM unnest($5::text[]) AS rid`,
      [this.app.writer.keyId, this.app.writer.id, this.rowId, costNanoUsd, requestIds],
    );
  }

  /** Makes all costs due that are looked for. */
  async hurryCosts(): Promise<void> {
    await this.app.sql(
      `UPDATE open_costs SET opened_at = opened_at - interval '1 minute', awaited_at = awaited_at - interval '1 minute',
         look_at = now() - interval '1 second'`,
    );
  }

  /** What is stored about the calls, the first call first. */
  feedback() {
    return this.app.sql<{
      call: string;
      type: string;
      ratings: Record<string, number>;
      tags: string[];
      payload: JsonObject;
    }>(
      `SELECT split_part(trace_ref, '/', 4) AS call, feedback_type AS type, scorer_ratings AS ratings, scorer_tags AS tags,
         payload_json AS payload FROM feedback WHERE project_id = $1 ORDER BY 1, 2`,
      [this.rowId],
    );
  }

  verdicts() {
    return this.app.sql<{ call_id: string; state: string; code: string | null; attempt: number; cost: string }>(
      `SELECT call_id, state, code, attempt, cost_nano_usd::text AS cost FROM verdicts WHERE project_id = $1 ORDER BY 1`,
      [this.rowId],
    );
  }

  private draftOf(call: ACall, index: number) {
    const startedAt = new Date(START_MS + index * 1_000);
    const attributes: JsonObject =
      call.attributes ?? (call.user === undefined ? {} : { metadata: { user: call.user } });
    const summary = call.summary ?? {};
    const inputs = call.inputs ?? { messages: [{ role: 'user', content: 'The opposite of hot?' }] };
    const message = { role: 'assistant', content: 'cold' };
    const output =
      call.output !== undefined ? call.output : { choices: [{ index: 0, message, finish_reason: 'stop' }] };
    return {
      projectId: PROJECT,
      projectRowId: this.rowId,
      id: call.id ?? `call-${String(index).padStart(6, '0')}`,
      svcUserId: this.app.writer.id,
      start: {
        ...{ opName: call.opName ?? `hone:///${PROJECT}/op/chat:v0`, displayName: null },
        ...{ traceId: call.traceId ?? newId(), parentId: call.parentId ?? null },
        ...{ threadId: null, turnId: null, runId: null, runStep: null, startedAt },
        derived: derivedStart(attributes, inputs),
        attributes: toJsonDraft(attributes),
        inputs: toJsonDraft(inputs),
      },
      end: {
        endedAt: call.isRunning ? null : new Date(startedAt.getTime() + (call.latencyMs ?? 500)),
        exception: call.exception ?? null,
        output: toJsonDraft(output),
        derived: derivedEnd(output, summary, call.exception ?? null),
        summary: toJsonDraft(summary),
        ...{ hasDescendantError: false, displayName: null, runStepEnd: null },
      },
    };
  }
}

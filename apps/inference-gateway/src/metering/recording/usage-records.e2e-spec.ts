import { CallTreeRepository, FileRepository, ValueRepository } from '@hone/calls';
import { newId } from '@hone/database';
import type { RefScheme } from '@hone/platform';
import { createTestDatabase, type TestDatabase } from '@hone/testing';

import { type CallContent, CallEntry } from '../../call-log/call-entry.js';
import { CallLog } from '../../call-log/call-log.service.js';
import { callTexts } from '../../call-log/call-texts.js';
import { entryParts, SEPARATOR } from '../../call-log/journalled-entry.js';
import { LargeEntries } from '../../call-log/large-entries.js';
import { RecordList } from '../journal/record-list.js';
import { toModelPrice } from '../records/cost.js';
import { A_KEY, A_PROJECT, aUsageRecord, jsonOf } from '../records/usage-record.fixture.js';
import { FREE, type UsageRecord, type UsageStatus } from '../records/usage-record.js';
import { UsageRecordsRejectedError } from './metering.errors.js';
import { UsageDriftRepository } from './usage-drift.repository.js';
import { UsagePartitionsRepository } from './usage-partitions.repository.js';
import { UsageRecordsRepository } from './usage-records.repository.js';

const DAYS = ['2026-11-20', '2026-11-21', '2026-12-01'];

/** None of the records has a call. */
const repositoryOf = ({ db }: TestDatabase, partitions: UsagePartitionsRepository) =>
  new UsageRecordsRepository(
    db,
    partitions,
    new CallLog(new LargeEntries('', false), { name: 'hone' } as RefScheme),
    new ValueRepository(db),
    new FileRepository(db, new ValueRepository(db)),
    new CallTreeRepository(db),
  );

/** The same draws each time, from 0 to below 1. */
let drawn = 1;
const random = (): number => (drawn = (drawn * 48_271) % 2_147_483_647) / 2_147_483_647;

describe('stored usage records', () => {
  let database: TestDatabase;
  let partitions: UsagePartitionsRepository;
  let records: UsageRecordsRepository;
  let drift: UsageDriftRepository;
  beforeEach(async () => {
    database = await createTestDatabase();
    partitions = new UsagePartitionsRepository(database.db);
    records = repositoryOf(database, partitions);
    drift = new UsageDriftRepository(database.db);
  });
  afterEach(() => database.drop());

  const insert = (...many: UsageRecord[]) => records.insertAll(RecordList.of(many.map(jsonOf)));
  const count = async (table: string) =>
    (await database.sql<{ n: number }>(`SELECT count(*)::int n FROM ${table}`))[0]?.n;
  const wrong = async () => [
    ...(await Promise.all(DAYS.map((day) => drift.countWrongHours(day)))),
    ...(await Promise.all(['2026-11-01', '2026-12-01'].map((month) => drift.countWrongMonths(month)))),
  ];
  const RIGHT = [0, 0, 0, 0, 0];

  /** Records of few keys, so that batches meet in the same hours. */
  function someRecords(howMany: number): UsageRecord[] {
    const pick = <T>(...from: T[]) => from[Math.floor(random() * from.length)] as T;
    return Array.from({ length: howMany }, () =>
      aUsageRecord({
        projectId: pick(A_PROJECT, A_PROJECT.replace('1', '2')),
        modelAnswered: pick('big-128k', 'small', null),
        status: pick<UsageStatus>('ok', 'error', 'aborted'),
        promptTokens: pick(0, 7, 1_000),
        startedAt: new Date(`${pick(...DAYS)}T${pick('00', '11', '23')}:59:59.999Z`),
      }),
    );
  }

  it('have every field of the record', async () => {
    const price = toModelPrice({ prompt: 0.15, cached: 0.07, cacheWrite: 0.2, completion: 0.6 });
    const record = aUsageRecord({ checkpointId: newId(), cacheWriteTokens: 40, price });
    await insert(record);
    const [row] = await database.sql('SELECT *, day::text, cost_nano_usd::int FROM usage_records');
    expect(row).toEqual({
      day: '2026-11-20',
      uid: record.uid,
      started_at: record.startedAt,
      rid: 'req-1',
      response_id: 'chatcmpl-req-1',
      key_id: record.keyId,
      user_id: record.userId,
      project_id: record.projectId,
      model_asked: 'team-chat',
      model_answered: 'big-128k',
      target: 'backup/big-128k',
      route: 'chat',
      checkpoint_id: record.checkpointId,
      is_stream: true,
      status: 'ok',
      error_code: null,
      attempts: [{ target: 'backup/big-128k', outcome: 'ok', ms: 812 }],
      prompt_tokens: 100,
      cached_tokens: 0,
      cache_write_tokens: 40,
      completion_tokens: 20,
      reasoning_tokens: 0,
      source: 'upstream',
      price_prompt: '150000000',
      price_cached: '70000000',
      price_cache_write: '200000000',
      price_completion: '600000000',
      price_reasoning: null,
      cost_nano_usd: 29_000,
      is_billed: true,
      ttft_ms: 120,
      duration_ms: 812,
    });
  });

  it('have a call, whose attributes expressions read though its tokens are too many for a row', async () => {
    const record = aUsageRecord();
    const ids = Array.from({ length: 60_000 }, (_, id) => id);
    const tokens = { promptIds: [1], choices: [{ ids, logprobs: ids.map((id) => -id / 7) }] };
    const checkpoint = { name: 'm', modelId: newId(), step: 3 };
    const headers = {
      level: 'full',
      threadId: null,
      metadata: '{"tokens":",\\"hone\\":"}',
      traceId: null,
      parentId: null,
    } as const;
    const [body, facts] = [
      Buffer.from('{"messages":[]}'),
      { uid: record.uid, rid: record.rid, projectId: 'a/b', user: null },
    ];
    const entry = new CallEntry({
      ...facts,
      level: 'full',
      headers,
      body,
      isStream: false,
      checkpoint,
      redaction: null,
    });
    entry.answered(Buffer.from('{"choices":[]}'));
    entry.keep(tokens);
    const answered = { ...record, modelAnswered: 'm' };
    const parts = entryParts(
      entry.content() as CallContent,
      callTexts(answered, '[]', entry, entry.content() as CallContent, 'hone'),
    );
    const text = [jsonOf(answered), SEPARATOR, ...parts].map((part) => Buffer.from(part));
    await records.insertAll(RecordList.of([Buffer.concat(text)]));
    const [row] = await database.sql<{ blob: string; json: Record<string, unknown>; project: string }>(
      'SELECT attributes_blob blob, attributes_json json, project_id project FROM call_values',
    );
    expect(row?.json).toMatchObject({ model: 'm', step: 3, metadata: { tokens: ',"hone":' } });
    expect(row?.json).not.toHaveProperty('hone');
    const whole = await new ValueRepository(database.db).getBytes(row?.project ?? '', row?.blob ?? '');
    const { hone, ...others } = JSON.parse(whole.toString());
    expect(others).toEqual(row?.json);
    expect(hone.tokens.choices[0].token_ids).toHaveLength(60_000);
  });

  it('have defaults for absent members of their JSON', async () => {
    const nothing = { promptTokens: 0, completionTokens: 0, price: FREE, isStream: false, ttftMs: null } as const;
    const failed = { responseId: null, modelAnswered: null, target: null, source: null, errorCode: 'overloaded' };
    const record = aUsageRecord({ ...nothing, ...failed, status: 'error', attempts: [] });
    const told = { ...JSON.parse(jsonOf(record)), uid: newId(), isStream: false, isBilled: false, checkpointId: null };
    const counts = { promptTokens: 0, cachedTokens: 0, completionTokens: 0, reasoningTokens: 0 };
    const prices = { pricePrompt: 0, priceCached: 0, priceCompletion: 0, costNanoUsd: 0 };
    const full = { ...told, ...counts, ...prices, source: null };
    await records.insertAll(RecordList.of([jsonOf(record), JSON.stringify(full)]));
    const rows = await database.sql('SELECT * FROM usage_records');
    expect(rows[0]).toEqual({ ...rows[1], uid: expect.any(String) });
    expect(rows[0]).toMatchObject({
      ...{ is_stream: false, is_billed: false, prompt_tokens: 0, cost_nano_usd: '0', price_prompt: '0' },
      ...{ response_id: null, target: null, source: null, ttft_ms: null, attempts: [], error_code: 'overloaded' },
    });
  });

  it('are stored once (idempotent), also twice in one batch', async () => {
    const many = someRecords(40);
    await insert(...many, ...many);
    await insert(...many.slice(20), ...someRecords(5));
    expect(await count('usage_records')).toBe(45);
    expect(await wrong()).toEqual(RIGHT);
  });

  it('and their sums agree after three writers wrote overlapping batches at once', async () => {
    const many = someRecords(300);
    const writer = async () => {
      for (let from = 0; from < 300; from += 60) {
        const shuffled = many.slice(from, from + 100).sort(() => random() - 0.5);
        await insert(...shuffled);
      }
    };
    await Promise.all([writer(), writer(), writer()]);
    expect(await count('usage_records')).toBe(300);
    expect(await wrong()).toEqual(RIGHT);
    await expectRightModels();
  });

  it('count a month for budgets by key and by project', async () => {
    await insert(aUsageRecord(), aUsageRecord({ startedAt: new Date('2026-11-30T23:59:59Z') }));
    await insert(aUsageRecord({ startedAt: new Date('2026-12-01T00:00:00Z') }), aUsageRecord({ status: 'error' }));
    expect(
      await database.sql('SELECT scope, month::text, cost_nano_usd::int AS cost FROM usage_months ORDER BY 1, 2'),
    ).toEqual([
      { scope: 'key', month: '2026-11-01', cost: 54_000 },
      { scope: 'key', month: '2026-12-01', cost: 27_000 },
      { scope: 'project', month: '2026-11-01', cost: 54_000 },
      { scope: 'project', month: '2026-12-01', cost: 27_000 },
    ]);
  });

  it('count days for budgets by key and by project', async () => {
    const at = (startedAt: string) => aUsageRecord({ startedAt: new Date(startedAt) });
    await insert(at('2026-11-30T23:59:59Z'), aUsageRecord({ status: 'error' }), at('2026-12-01T00:00:00Z'));
    await insert(at('2026-12-01T23:59:59Z'));
    expect(
      await database.sql(
        `SELECT scope, day::text, cost_nano_usd::int AS cost FROM usage_days WHERE day > '2026-11-29' ORDER BY 1, 2`,
      ),
    ).toEqual(
      ['key', 'project'].flatMap((scope) => [
        { scope, day: '2026-11-30', cost: 27_000 },
        { scope, day: '2026-12-01', cost: 54_000 },
      ]),
    );
  });

  /** The sums of models are those of the records, in each day and in each month. */
  async function expectRightModels(): Promise<void> {
    const counted = await database.sql(
      `SELECT scope, id AS subject_id, period, since::text, coalesce(route, model_asked) AS model, sum(cost_nano_usd)::text AS cost
       FROM usage_records, LATERAL (VALUES ('key', key_id), ('project', project_id)) AS subject (scope, id),
         LATERAL (VALUES ('day', day), ('month', date_trunc('month', day)::date)) AS span (period, since)
       WHERE cost_nano_usd > 0 GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5`,
    );
    expect(counted.length).toBeGreaterThan(0);
    expect(
      await database.sql(
        `SELECT scope, subject_id, period, since::text, model, cost_nano_usd::text AS cost FROM usage_models ORDER BY 1, 2, 3, 4, 5`,
      ),
    ).toEqual(counted);
  }

  it('count models for budgets by the route that is charged', async () => {
    const at = (startedAt: string, route: string | null) => aUsageRecord({ startedAt: new Date(startedAt), route });
    await insert(
      at('2026-11-30T23:59:59Z', 'chat'),
      at('2026-11-30T10:00:00Z', 'big'),
      at('2026-12-01T00:00:00Z', 'chat'),
    );
    await insert(at('2026-12-01T23:59:59Z', 'chat'), { ...at('2026-12-01T10:00:00Z', 'big'), status: 'error' });
    const wanted = [
      { period: 'day', since: '2026-11-30', model: 'big', cost: 27_000 },
      { period: 'day', since: '2026-11-30', model: 'chat', cost: 27_000 },
      { period: 'day', since: '2026-12-01', model: 'chat', cost: 54_000 },
      { period: 'month', since: '2026-11-01', model: 'big', cost: 27_000 },
      { period: 'month', since: '2026-11-01', model: 'chat', cost: 27_000 },
      { period: 'month', since: '2026-12-01', model: 'chat', cost: 54_000 },
    ];
    for (const scope of ['key', 'project']) {
      const sums = `SELECT period, since::text, model, cost_nano_usd::int AS cost FROM usage_models WHERE scope = $1 ORDER BY 1, 2, 3`;
      expect(await database.sql(sums, [scope])).toEqual(wanted);
    }
  });

  it('of earlier versions, which name no route, count for the model that was asked for', async () => {
    const line =
      '{"uid":"01930000-0000-7000-8000-00000000000a","startedAt":"2026-11-20T10:30:00.000Z","rid":"old-1",' +
      `"responseId":"chatcmpl-old-1","keyId":"${A_KEY}","userId":"${A_KEY}","projectId":"${A_PROJECT}","modelAsked":"team-chat",` +
      '"modelAnswered":"big-128k","target":"backup/big-128k","status":"ok","attempts":[{"target":"backup/big-128k",' +
      '"outcome":"ok","ms":812}],"promptTokens":100,"completionTokens":20,"source":"upstream","pricePrompt":150000000,' +
      '"priceCached":70000000,"priceCompletion":600000000,"costNanoUsd":27000,"isBilled":true,"durationMs":812}';
    await records.insertAll(RecordList.of([line]));
    await records.insertAll(RecordList.of([line, jsonOf(aUsageRecord())]));
    expect(await database.sql(`SELECT rid, route FROM usage_records ORDER BY rid`)).toEqual([
      { rid: 'old-1', route: null },
      { rid: 'req-1', route: 'chat' },
    ]);
    const sums = `SELECT model, cost_nano_usd::int AS cost FROM usage_models WHERE scope = 'key' AND period = 'day' ORDER BY 1`;
    expect(await database.sql(sums)).toEqual([
      { model: 'chat', cost: 27_000 },
      { model: 'team-chat', cost: 27_000 },
    ]);
  });

  it('that do not fit are rejected with their whole batch', async () => {
    const bad = { ...aUsageRecord(), promptTokens: 2 ** 40 };
    await expect(insert(aUsageRecord(), bad)).rejects.toThrow(UsageRecordsRejectedError);
    await expect(insert({ ...aUsageRecord(), uid: null as never })).rejects.toThrow(UsageRecordsRejectedError);
    expect(await count('usage_hours')).toBe(0);
  });

  it('show drift when a sum was changed or a record is missing', async () => {
    await insert(...someRecords(50), aUsageRecord());
    expect(await wrong()).toEqual(RIGHT);
    await database.sql(`UPDATE usage_hours SET prompt_tokens = prompt_tokens + 1
      WHERE (hour AT TIME ZONE 'UTC')::date = '2026-11-21'`);
    await database.sql(`UPDATE usage_months SET cost_nano_usd = 1 WHERE scope = 'key' AND month = '2026-12-01'`);
    await database.sql(`DELETE FROM usage_records WHERE day = '2026-12-01'`);
    const [first, second, third, november, december] = await wrong();
    expect([first, november, december]).toEqual([0, 0, 1]);
    expect(second).toBeGreaterThan(0);
    expect(third).toBeGreaterThan(0);
  });
});

describe('partitions of usage records', () => {
  let database: TestDatabase;
  let partitions: UsagePartitionsRepository;
  beforeAll(async () => {
    database = await createTestDatabase();
    partitions = new UsagePartitionsRepository(database.db);
  });
  afterAll(() => database.drop());

  it('are created once by concurrent processes', async () => {
    await Promise.all([1, 2, 3].map(() => partitions.createAll(['2026-12-31', '2027-01-01'])));
    expect(await partitions.list()).toEqual(['2026-12-31', '2027-01-01']);
  });

  it('are dropped with their records', async () => {
    const records = repositoryOf(database, partitions);
    await records.insertAll(RecordList.of([jsonOf(aUsageRecord({ startedAt: new Date('2026-12-31T23:00:00Z') }))]));
    await partitions.delete('2026-12-31');
    expect(await partitions.list()).toEqual(['2027-01-01']);
    expect(await database.sql('SELECT uid FROM usage_records')).toEqual([]);
    expect(await database.sql('SELECT requests::int FROM usage_hours')).toEqual([{ requests: 1 }]);
  });
});

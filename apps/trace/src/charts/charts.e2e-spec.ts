import type { CallChartsDto, CallChartsResultDto, ChartGroup } from '@hone/contracts';
import { fuzzOf, startTestApp, statementsOf, type TestApp, type TestClient } from '@hone/testing';
import fc from 'fast-check';

import { aFeedback, aWholeCall, PROJECT } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';
import {
  aDrawnCall,
  aDrawnChart,
  bodyOf,
  callOf,
  expectChart,
  FIRST_MS,
  iso,
  MODELS,
  upsertOf,
} from './chart-draws.fixture.js';
import { ChartModel, type ModelCall } from './chart-model.fixture.js';
import { HoursJob } from './hours/hours-job.js';

describe('charts of calls', () => {
  let trace: TestApp;
  let client: TestClient;
  let job: HoursJob;
  const model = new ChartModel();
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
    job = trace.app.get(HoursJob, { strict: false });
  });
  afterAll(() => trace.close());

  const chart = async (body: object): Promise<CallChartsResultDto> => {
    const { status, text, json } = await client.post('/calls/charts', { project_id: PROJECT, ...body });
    expect([status, text]).toEqual([200, expect.any(String)]);
    return json();
  };

  const write = async (...calls: ModelCall[]): Promise<void> =>
    void expect((await client.post('/call/upsert_batch', upsertOf(calls))).status).toBe(200);

  async function judge(call: ModelCall, emoji: '👍' | '👎'): Promise<void> {
    const trace_ref = `hone:///${PROJECT}/call/${call.id}`;
    const scorer_ratings = { quality: 0.5, tone: 1 };
    for (const fields of [{ feedback_type: 'hone.reaction.1', payload: { emoji } }, { scorer_ratings }])
      expect((await client.post('/feedback/create', aFeedback({ trace_ref, ...fields }))).status).toBe(200);
    call.thumbs.push(emoji);
    for (const [scorer, rating] of Object.entries(scorer_ratings)) (call.ratings[scorer] ??= []).push(rating);
  }

  it('equal what all calls say one by one, while calls are written, end late, are judged, deleted and priced', async () => {
    const drawn = fc.sample(aDrawnCall, { numRuns: 240, seed: 3 });
    const bodies = fc.sample(aDrawnChart, { numRuns: fuzzOf(1_000, 120).numRuns, seed: 5 }).map((one) => bodyOf(one));
    const rounds = 8;
    const partOf = <T>(all: readonly T[], round: number): T[] =>
      all.slice((round * all.length) / rounds, ((round + 1) * all.length) / rounds);
    for (let round = 0; round < rounds; round++) {
      const fresh = partOf(drawn, round).map((one, n): ModelCall => ({
        ...callOf(one, `c${round}-${n}`),
        parent: one.isChild && round > 0 ? (model.calls[n]?.id ?? null) : null,
      }));
      // A parent whose child failed has another status: failures are of calls without a parent here.
      for (const call of fresh) if (call.parent !== null) call.exception = null;
      await write(...fresh);
      model.calls.push(...fresh);
      // Ends that come late, deletions, judgements, prices; then some of the hours are summed up.
      const open = model.calls.filter(({ endedMs, isDeleted }) => endedMs === null && !isDeleted).slice(0, 3);
      for (const call of open)
        Object.assign(call, {
          endedMs: call.startedMs + 777,
          usage: { large: { prompt_tokens: 3, completion_tokens: 2_000 } },
        });
      await write(...open);
      const doomed = model.calls
        .filter(({ isDeleted, id }) => !isDeleted && !model.calls.some(({ parent }) => parent === id))
        .slice(-2);
      await client.post('/calls/delete', { project_id: PROJECT, call_ids: doomed.map(({ id }) => id) });
      for (const call of doomed) call.isDeleted = true;
      for (const [n, call] of fresh.slice(0, 6).entries())
        if (!call.isDeleted) await judge(call, n % 3 === 0 ? '👎' : '👍');
      const price = {
        model: MODELS[round % 2] as string,
        fromMs: FIRST_MS + round * 7 * 3_600_000 + 100_000,
        prompt: 0.001 * round,
        completion: 0.002,
      };
      const { fromMs, prompt, completion } = price;
      const costs = {
        [price.model]: { prompt_token_cost: prompt, completion_token_cost: completion, effective_date: iso(fromMs) },
      };
      await client.post('/cost/create', { project_id: PROJECT, costs });
      model.prices.push(price);
      if (round % 2 === 0) expect(await job.run(0)).toBeGreaterThan(0);
      for (const body of partOf(bodies, round)) expectChart(await chart(body), model, body);
    }
    const range = { start: iso(FIRST_MS), end: iso(FIRST_MS + 80 * 3_600_000), granularity: 86_400, timezone: 'UTC' };
    for (const group_by of [['scorer'], ['scorer', 'model'], []] as ChartGroup[][]) {
      const body = { project_id: PROJECT, ...range, measures: ['ratings', 'avg_rating'], group_by } as CallChartsDto;
      expectChart(await chart(body), model, body);
    }
  });

  it('read sums of hours, and the calls alone of hours that have changed', async () => {
    await job.run(0);
    expect(await trace.sql('SELECT count(*)::int AS n FROM call_hour_changes')).toEqual([{ n: 0 }]);
    const body = {
      start: iso(FIRST_MS),
      end: iso(FIRST_MS + 80 * 3_600_000),
      granularity: 86_400,
      measures: ['calls'],
    };
    const before = (await chart(body)).totals['calls'] as number;
    // Sums are what is read: a call that no trigger saw is not counted.
    await trace.sql('ALTER TABLE calls DISABLE TRIGGER USER');
    await trace.sql(`INSERT INTO calls (project_id, id, op_name, started_at, svc_user_id)
      SELECT project_id, 'unseen', 'plain', '2026-01-10T06:30:00Z', svc_user_id FROM calls LIMIT 1`);
    await trace.sql('ALTER TABLE calls ENABLE TRIGGER USER');
    expect((await chart(body)).totals['calls']).toBe(before);
    await client.post('/v2/acme/demo/calls/complete', {
      batch: [aWholeCall('seen', { started_at: '2026-01-10T06:31:00Z', ended_at: '2026-01-10T06:31:01Z' })],
    });
    expect((await chart(body)).totals['calls']).toBe(before + 2);
    // An hour that is being written to is left alone.
    expect(await job.run()).toBe(0);
    expect(await job.run(0)).toBe(1);
    expect((await chart(body)).totals['calls']).toBe(before + 2);
  });

  it('read sums of whole days where no bucket begins within them', async () => {
    await job.run(0);
    const body = {
      start: '2026-01-10T00:00:00Z',
      end: '2026-01-12T00:00:00Z',
      granularity: 86_400,
      measures: ['calls'],
    };
    const callsOf = async (more: object) => (await chart({ ...body, ...more })).totals['calls'] as number;
    const before = await callsOf({});
    expect(before).toBeGreaterThan(0);
    // Whoever reads hours sees this.
    await trace.sql(`UPDATE call_sums SET calls = calls + 1000 WHERE period = 'hour'`);
    expect(await callsOf({})).toBe(before);
    expect(await callsOf({ granularity: 3_600 })).toBeGreaterThan(before + 999);
    expect(await callsOf({ timezone: 'America/New_York' })).toBeGreaterThan(before + 999);
    await trace.sql(`UPDATE call_sums SET calls = calls - 1000 WHERE period = 'hour'`);
    expect(await callsOf({ granularity: 3_600 })).toBe(before);
  });

  it('join marks of an hour that is written to again and again', async () => {
    for (let n = 0; n < 60; n++) await client.post('/v2/acme/demo/calls/complete', { batch: [aWholeCall(`m${n}`)] });
    const marks = async () => (await trace.sql('SELECT count(*)::int AS n FROM call_hour_changes'))[0];
    expect(await marks()).toEqual({ n: 60 });
    expect(await job.run()).toBe(0);
    expect(await marks()).toEqual({ n: 1 });
    expect(await job.run(0)).toBe(1);
  });

  it.each([[['model']], [['user']]])('read calls once for their costs by %j', async (group_by) => {
    const range = { start: iso(FIRST_MS), end: iso(FIRST_MS + 80 * 3_600_000), granularity: 86_400 };
    const body = { ...range, measures: ['cost'], group_by };
    const { totals } = await chart(body);
    expect(totals['cost']).toBeGreaterThan(0);
    const sent = await statementsOf(async () => expect((await chart(body)).totals).toEqual(totals));
    expect(sent.filter(({ text }) => /usage_by_model/.test(text))).toHaveLength(1);
    // A model that no chart has seen yet.
    const usage = { unseen: { prompt_tokens: 1_000, completion_tokens: 0 } };
    const at = { started_at: iso(FIRST_MS), ended_at: iso(FIRST_MS) };
    const costs = { unseen: { prompt_token_cost: 1, completion_token_cost: 1, effective_date: iso(FIRST_MS) } };
    await client.post('/cost/create', { project_id: PROJECT, costs });
    const [id] = group_by;
    await client.post('/v2/acme/demo/calls/complete', {
      batch: [aWholeCall(`unseen-${id}`, { ...at, summary: { usage } })],
    });
    expect((await chart(body)).totals['cost']).toBeCloseTo((totals['cost'] as number) + 1_000);
  });

  it('answer nothing of an unknown project, and refuse what makes no chart', async () => {
    const range = { start: '2026-01-01T00:00:00Z', end: '2026-01-02T00:00:00Z' };
    expect(await chart({ ...range, project_id: 'acme/nothing', measures: ['calls', 'avg_latency_ms'] })).toEqual({
      ...{ start: '2026-01-01T00:00:00.000Z', end: '2026-01-02T00:00:00.000Z', granularity: 900, timezone: 'UTC' },
      ...{ timestamps: [], series: [], other: null, totals: { calls: 0, avg_latency_ms: null }, pending_calls: 0 },
    });
    const refused = async (body: object) => {
      const { status, json } = await client.post('/calls/charts', {
        project_id: PROJECT,
        ...range,
        measures: ['calls'],
        ...body,
      });
      return [status, ...json().detail.map(({ loc }: { loc: string[] }) => loc.join('.'))];
    };
    expect(await refused({ measures: [] })).toEqual([422, 'body.measures']);
    expect(await refused({ measures: ['costs'] })).toEqual([422, 'body.measures.0']);
    expect(await refused({ measures: ['calls'], group_by: ['model', 'op', 'user'] })).toEqual([422, 'body.group_by']);
    expect(await refused({ group_by: ['model', 'model'] })).toEqual([422, 'body.group_by']);
    expect(await refused({ group_by: ['scorer'] })).toEqual([422, 'body.measures']);
    expect(await refused({ end: '2025-01-01T00:00:00Z' })).toEqual([422, 'body.end']);
    expect(await refused({ timezone: 'Mars/Olympus' })).toEqual([422, 'body.timezone']);
    expect(await refused({ limit: 51 })).toEqual([422, 'body.limit']);
  });
});

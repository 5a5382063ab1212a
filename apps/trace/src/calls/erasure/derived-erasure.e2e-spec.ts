import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { HoursJob } from '../../charts/hours/hours-job.js';
import { aWholeCall, PROJECT } from '../../testing/bodies.fixture.js';
import { erase, tablesWithText } from '../../testing/erasure.fixture.js';
import { TraceModule } from '../../trace.module.js';
import { SearchIndexJob } from '../search/search-index-job.js';

const MARKER = 'the-secret-of-Ada-L0velace';
const NOW = new Date().toISOString();
const START = '2026-01-01T00:00:00Z';

/** It has the marker in all that columns, sums and the index of words are made of. */
const aMarkedCall = (id: string) =>
  aWholeCall(id, {
    ...{ thread_id: MARKER, display_name: MARKER, exception: `${MARKER}: failed` },
    attributes: { user: MARKER, prompt: { id: MARKER, version: 1 }, checkpoint: MARKER },
    ...{ inputs: { messages: [{ role: 'user', content: `Ask ${MARKER}` }] }, output: `${MARKER} says` },
    summary: { usage: { [MARKER]: { prompt_tokens: 2 }, [`${MARKER}-small`]: { prompt_tokens: 1 } } },
  });

describe('the erasure of what was made of calls', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
  });
  afterAll(() => trace.close());

  const ask = async (path: string, body: object) => {
    const { status, text, json } = await client.post(path, { project_id: PROJECT, ...body });
    expect([status, status === 200 ? '' : text]).toEqual([200, '']);
    return json();
  };
  /** Sums and the index of words are as the calls are. */
  async function settle(): Promise<void> {
    await trace.app.get(HoursJob, { strict: false }).run(0);
    await trace.app.get(SearchIndexJob, { strict: false }).run();
  }
  const remove = (call_ids: string[]) => ask('/calls/delete', { call_ids });
  const removeWhere = async ($expr: object) => {
    const { calls } = (await ask('/calls/query', { query: { $expr }, columns: ['id'] })) as { calls: { id: string }[] };
    await remove(calls.map(({ id }) => id));
  };
  const expire = async () => {
    const owner = trace.as(await trace.user('olga', { roles: { acme: 'owner' } }));
    const body = { project_id: PROJECT, retention_days: 30 };
    expect((await owner.post('/project/ttl_settings/update', body)).status).toBe(200);
  };

  it.each([
    ['calls that are named', () => remove(['a', 'b'])],
    ['calls with a word', () => removeWhere({ $search: { words: { $literal: MARKER } } })],
    ['the calls of a user', () => removeWhere({ $eq: [{ $getField: 'summary.hone.user' }, { $literal: MARKER }] })],
    ['calls that expire', expire],
  ])('leaves nothing of %s in columns, sums and the index', async (_what, removeCalls) => {
    await trace.sql('TRUNCATE calls, call_values, call_search, call_search_queue, call_sums, call_hour_changes');
    const kept = aWholeCall('kept', { started_at: NOW, ended_at: NOW, inputs: { q: 'keep' } });
    const batch = [aMarkedCall('a'), aMarkedCall('b'), kept];
    expect((await client.post('/v2/acme/demo/calls/complete', { batch })).status).toBe(200);
    await settle();
    const tables = await tablesWithText(trace.sql, MARKER);
    for (const table of ['calls_undated', 'call_values_undated', 'call_sums']) expect(tables).toContain(table);
    const indexed = () => trace.sql('SELECT id FROM call_search ORDER BY 1');
    expect(await indexed()).toEqual([{ id: 'a' }, { id: 'b' }, { id: 'kept' }]);

    await removeCalls();
    expect(await erase(trace)).toBe(2);
    await settle();
    expect(await tablesWithText(trace.sql, MARKER)).toEqual([]);
    expect(await indexed()).toEqual([{ id: 'kept' }]);
    const tokens = await trace.sql('SELECT id FROM calls WHERE total_tokens IS NOT NULL OR usage_by_model IS NOT NULL');
    expect(tokens).toEqual([]);
    const chart = await ask('/calls/charts', {
      start: START,
      measures: ['calls', 'total_tokens'],
      group_by: ['model'],
    });
    expect(chart).toMatchObject({ totals: { calls: 1, total_tokens: 0 }, series: [{ key: { model: null } }] });
  });
});

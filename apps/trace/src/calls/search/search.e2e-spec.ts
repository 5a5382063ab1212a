import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { aWholeCall, PROJECT } from '../../testing/bodies.fixture.js';
import { TraceModule } from '../../trace.module.js';
import { SearchIndexJob } from './search-index-job.js';

describe('$search', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
  });
  beforeEach(() => trace.sql('TRUNCATE calls, call_values, call_search, call_search_queue, call_backfills'));
  afterAll(() => trace.close());

  const index = () => trace.app.get(SearchIndexJob, { strict: false }).run();
  const complete = (...batch: object[]) => client.post('/v2/acme/demo/calls/complete', { batch });
  const call = (id: string, question: unknown, answer: unknown = null) =>
    aWholeCall(id, { inputs: { question }, output: answer });
  const searched = (words: string, field?: string) => ({
    $expr: { $search: { words: { $literal: words }, ...(field && { input: { $getField: field } }) } },
  });
  const query = (body: object) => client.post('/calls/query', { project_id: PROJECT, ...body });
  const found = async (words: string, field?: string): Promise<string[]> => {
    const { status, json, text } = await query({ query: searched(words, field) });
    expect([status, status === 200 ? '' : text]).toEqual([200, '']);
    return (json() as { calls: { id: string }[] }).calls.map(({ id }) => id).sort();
  };

  it('finds calls by words of their inputs and output', async () => {
    await complete(call('a', 'The REFUND policy', 'money back'), call('b', 'policy'), call('c', { deep: ['refund'] }));
    await index();
    expect(await found('refund')).toEqual(['a', 'c']);
    expect(await found('policy refund')).toEqual(['a']);
  });
});

import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { aFeedback, PROJECT } from '../../testing/bodies.fixture.js';
import { TraceModule } from '../../trace.module.js';

describe('the schema of payloads', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
  });
  afterEach(() => trace.sql('DELETE FROM feedback'));
  afterAll(() => trace.close());

  const create = async (...payloads: unknown[]) => {
    for (const payload of payloads) await client.post('/feedback/create', aFeedback({ payload }));
  };
  const pathsOf = async (body: object = {}): Promise<[string, string][]> => {
    const response = await client.post('/feedback/payload_schema', { project_id: PROJECT, ...body });
    expect(response.status).toBe(200);
    return response
      .json()
      .paths.map(({ json_path, value_type }: Record<string, string>) => [json_path, value_type] as const);
  };

  it('lists the leaves of all payloads with their types', async () => {
    await create(
      { score: 1, out: { ok: true, why: 'é', 'a.b': 2 }, list: [1], empty: {}, none: null },
      { score: 0.25, out: { ok: false, why: 3 }, sometimes: null },
      { score: '5', "it's": '\0' },
      JSON.parse('{"__proto__": {"constructor": 1e3}}'),
      { big: 'x'.repeat(300_000) },
    );
    expect(await pathsOf()).toEqual([
      ['__proto__.constructor', 'numeric'],
      ["it's", 'categorical'],
      ['out.a\\.b', 'numeric'],
      ['out.ok', 'boolean'],
      ['out.why', 'categorical'],
      ['score', 'categorical'],
    ]);
  });

  it('looks at the records that are asked for, the newest first', async () => {
    const fields = [
      { feedback_type: 'a', payload: { first: 1 }, trigger_ref: 'hone:///acme/demo/object/job:v1' },
      { feedback_type: 'b', payload: { second: 1 }, trigger_ref: 'x:///acme/demo/object/job:v2' },
      { feedback_type: 'b', payload: { third: 1 }, trigger_ref: 'hone:///acme/demo/object/job_:v2' },
    ];
    for (const [n, one] of fields.entries()) {
      await client.post('/feedback/create', aFeedback({ ...one, id: String(n) }));
      await trace.sql('UPDATE feedback SET created_at = $1 WHERE id = $2', [`2026-01-0${n + 1}T00:00:00Z`, String(n)]);
    }
    const namesOf = async (body: object) => (await pathsOf(body)).map(([path]) => path);
    expect(await namesOf({ feedback_type: 'b' })).toEqual(['second', 'third']);
    expect(await namesOf({ trigger_ref: 'y:///acme/demo/object/job:v1' })).toEqual(['first']);
    expect(await namesOf({ trigger_ref: 'hone:///acme/demo/object/job:*' })).toEqual(['first', 'second']);
    expect(await namesOf({ start: '2026-01-02T00:00:00Z', end: '2026-01-03T00:00:00Z' })).toEqual(['second']);
    expect(await namesOf({ sample_limit: 1 })).toEqual(['third']);
    expect(await namesOf({ project_id: 'acme/nothing' })).toEqual([]);
    const wrong = await client.post('/feedback/payload_schema', { project_id: PROJECT, sample_limit: 0, start: 'now' });
    expect(wrong.json().detail.map(({ loc }: { loc: unknown[] }) => loc[1])).toEqual(['start', 'sample_limit']);
  });

  it('stops at 32 levels and 1,000 places', async () => {
    const deep = JSON.parse('{"k":'.repeat(40) + '1' + '}'.repeat(40)) as object;
    await create(deep, { common: 1 }, { common: 2 });
    await create(Object.fromEntries(Array.from({ length: 1_500 }, (_, n) => [`rare${n}`, n])));
    const paths = await pathsOf();
    expect([paths.length, paths.some(([path]) => path.startsWith('k'))]).toEqual([1_000, false]);
    expect(paths).toContainEqual(['common', 'numeric']);
  });
});

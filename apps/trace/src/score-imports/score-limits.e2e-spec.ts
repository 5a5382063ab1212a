import { BodyThreads } from '@hone/platform';
import { startTestApp, type TestApp, type TestClient } from '@hone/testing';
import { jest } from '@jest/globals';

import { PROJECT } from '../testing/bodies.fixture.js';
import { anExport, aSpan, TRACE_A } from '../testing/spans.fixture.js';
import { TraceModule } from '../trace.module.js';

const ROOT = '1'.repeat(16);
const IN_PROJECT = { headers: { 'content-type': 'application/json', 'hone-project': PROJECT } };
const BAD = ['\0', '\ud800', 'x'] as const;

describe('scores of other tools, whatever they hold', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
    await client.post('/otel/v1/traces', anExport(aSpan(TRACE_A, ROOT)), IN_PROJECT);
  });
  beforeEach(() => trace.sql('TRUNCATE feedback, waiting_scores'));
  afterAll(() => trace.close());

  const bring = async (body: object, as = client) => {
    const sent = { project_id: PROJECT, format: 'langfuse', ...body };
    const { status, json } = await as.post('/feedback/import', sent);
    return { status, body: json() };
  };
  const feedback = async () => (await client.post('/feedback/query', { project_id: PROJECT })).json().result;
  const score = (more: object = {}) => ({ id: 's-1', traceId: TRACE_A, name: 'helpful', value: 0.9, ...more });

  it.each(['name', 'comment', 'authorUserId', 'timestamp', 'value', 'metadata', 'stringValue'])(
    'are stored where the database does not take the text of %s',
    async (field) => {
      const scores = BAD.map((bad, at) => score({ id: `s-${at}`, source: 'EVAL', [field]: `t${bad}t` }));
      const { status, body } = await bring({ scores });
      expect([status, body.created + body.updated, body.rejected]).toEqual([200, 3, []]);
      expect(await feedback()).toHaveLength(3);
    },
  );

  it('are rejected where their id is no text that is stored: two could become one', async () => {
    const scores = BAD.map((bad) => score({ id: `t${bad}t` }));
    const { status, body } = await bring({ scores });
    expect([status, body.created, body.rejected.length, body.rejected[0].count]).toEqual([200, 1, 1, 2]);
  });

  it.each(['traceId', 'observationId'])('are of no call where the text of %s is none of an id', async (field) => {
    const scores = [...BAD, 'x'.repeat(5_000)].map((bad, at) => score({ id: `s-${at}`, [field]: `t${bad}t` }));
    const { status, body } = await bring({ scores: [...scores, score({ id: 'good' })] });
    expect([status, body.created]).toEqual([200, 1]);
    expect(body.rejected.map(({ count }: { count: number }) => count)).toEqual([3, 1]);
    const sent = await client.post('/api/public/scores', scores, IN_PROJECT);
    expect([sent.status, sent.json().rejected]).toEqual([207, 3]);
  });

  it('have values of any JSON, and metadata of any depth of such text', async () => {
    const metadata = { '\0': ['\ud800', { a: '\0' }] };
    expect(await bring({ scores: [score({ metadata, source: 'ANNOTATION' })] })).toMatchObject({
      body: { created: 1 },
    });
    expect((await feedback())[0].payload.metadata).toEqual(metadata);
  });

  it('of one name are of as many ops as kinds of evidence, and of names', async () => {
    const names = ['Höflichkeit', '礼貌', 'a b', 'a_b', '😀', '😎', 'n'.repeat(200)];
    const scores = ['EVAL', 'API'].flatMap((source) =>
      names.map((name, at) => score({ id: `${source}-${at}`, name, source })),
    );
    expect((await bring({ scores })).body).toMatchObject({ created: 14, rejected: [] });
    const stored = await feedback();
    const types = new Set(stored.map((one: { feedback_type: string }) => one.feedback_type));
    expect([
      types.size,
      [...types].filter((type) => (type as string).startsWith('hone.runnable.judge.')).length,
    ]).toEqual([14, 7]);
    expect(types).toContain('hone.runnable.judge.Höflichkeit');
    expect(types).toContain('hone.runnable.check.礼貌');
    const polite = stored.find((one: { feedback_type: string }) => one.feedback_type.endsWith('judge.礼貌'));
    expect(polite.runnable_ref).toBe(`hone:///${PROJECT}/op/${encodeURIComponent('judge.礼貌')}:langfuse`);
    // Such refs are what other feedback may have, too.
    for (const { runnable_ref, feedback_type } of stored) {
      const ref = `hone:///${PROJECT}/call/${ROOT}`;
      const again = { project_id: PROJECT, trace_ref: ref, call_ref: ref, payload: { output: 1 } };
      const { status, text } = await client.post('/feedback/create', { ...again, feedback_type, runnable_ref });
      expect([status, status === 200 ? '' : text]).toEqual([200, '']);
    }
  });

  it('are counted where a row has several: then too many are refused as a whole', async () => {
    const assessments = Array.from({ length: 5_001 }, (_, at) => ({
      ...{ assessment_id: `a-${at}`, assessment_name: 'n', feedback: { value: 1 } },
    }));
    const row = { trace_id: `tr-${TRACE_A}`, assessments };
    const { status, body } = await bring({ format: 'mlflow', scores: [row, row] });
    expect([status, body.detail[0].loc, await feedback()]).toEqual([422, ['body', 'scores'], []]);
  });

  it('of large files and lists are read by another thread, after the right to send them', async () => {
    const run = jest.spyOn(trace.app.get(BodyThreads), 'run').mockClear();
    const names = () => run.mock.calls.map(([task]) => task.name);
    const lines = Array.from({ length: 4_000 }, (_, at) => `c-${at},${TRACE_A},tone,${at / 4_000},${'x'.repeat(60)}`);
    const csv = ['id,traceId,name,value,comment', ...lines].join('\n');
    const rita = trace.as(await trace.user('rita-imports', { roles: { acme: 'reader' } }));
    expect((await bring({ csv }, rita)).status).toBe(403);
    expect(names()).not.toContain('CSV');
    expect((await bring({ csv })).body).toEqual({ created: 4_000, updated: 0, unchanged: 0, rejected: [] });
    expect(names()).toContain('CSV');
    const list = Array.from({ length: 10_000 }, (_, at) =>
      score({ id: `l-${at}`, comment: 'x'.repeat(150), metadata: { at } }),
    );
    const sent = await client.post('/api/public/scores', list, IN_PROJECT);
    expect([sent.status, names().includes('SENT')]).toEqual([202, true]);
    const [stored] = await trace.sql(`SELECT count(*)::int AS n FROM feedback`);
    expect(stored).toEqual({ n: 14_000 });
    const tooMany = await client.post('/api/public/scores', [...list, ...list], IN_PROJECT);
    expect([tooMany.status, tooMany.json().detail[0].loc]).toEqual([422, ['body']]);
  });
});

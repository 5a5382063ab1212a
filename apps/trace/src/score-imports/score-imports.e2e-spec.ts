import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { PROJECT } from '../testing/bodies.fixture.js';
import { anExport, aSpan, TRACE_A, TRACE_B } from '../testing/spans.fixture.js';
import { TraceModule } from '../trace.module.js';
import { WaitingScoresJob } from './waiting-scores-job.js';

const [ROOT, CHILD] = ['1'.repeat(16), '2'.repeat(16)];
const IN_PROJECT = { headers: { 'content-type': 'application/json', 'hone-project': PROJECT } };

describe('scores of other tools', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
  });
  beforeEach(() => trace.sql('TRUNCATE calls, call_values, feedback, waiting_scores'));
  afterAll(() => trace.close());

  const spans = (...sent: object[]) => client.post('/otel/v1/traces', anExport(...sent), IN_PROJECT);
  const aTrace = () => spans(aSpan(TRACE_A, ROOT), aSpan(TRACE_A, CHILD, { parentSpanId: ROOT }));
  const send = async (body: unknown) => {
    const { status, json } = await client.post('/api/public/scores', body, IN_PROJECT);
    return { status, body: json() };
  };
  const bring = async (body: object) => {
    const { status, json } = await client.post('/feedback/import', {
      project_id: PROJECT,
      format: 'langfuse',
      ...body,
    });
    expect([status, json()]).toEqual([200, expect.any(Object)]);
    return json();
  };
  const feedback = async () => (await client.post('/feedback/query', { project_id: PROJECT })).json().result;
  const job = () => trace.app.get(WaitingScoresJob).run();
  const score = (more: object = {}) => ({ id: 's-1', traceId: TRACE_A, name: 'helpful', value: 0.9, ...more });

  it('become feedback about the call of the span, else about the root of the trace', async () => {
    await aTrace();
    expect(await send([score(), score({ id: 's-2', observationId: CHILD })])).toEqual({
      status: 202,
      body: { message: 'Accepted' },
    });
    const [first, second] = await feedback();
    expect(first).toMatchObject({
      ...{
        id: 'langfuse:s-1',
        feedback_type: 'hone.runnable.check.helpful',
        trace_ref: `hone:///${PROJECT}/call/${ROOT}`,
      },
      runnable_ref: `hone:///${PROJECT}/op/check.helpful:langfuse`,
      ...{
        scorer_ratings: { helpful: 0.9 },
        payload: { output: { helpful: 0.9 }, evidence: 'check', imported_from: 'langfuse' },
      },
    });
    expect(second.trace_ref).toBe(`hone:///${PROJECT}/call/${CHILD}`);
  });

  it('of one body are answered with their id', async () => {
    await aTrace();
    expect(await send(score())).toEqual({ status: 200, body: { id: 's-1' } });
    const { status, body } = await send(score({ id: undefined }));
    expect([status, body]).toEqual([200, { id: expect.any(String) }]);
    expect(await feedback()).toHaveLength(2);
    expect(await send(score({ dataType: 'COLOUR' }))).toMatchObject({ status: 422 });
  });

  it('are counted and told about where some are wrong', async () => {
    await aTrace();
    const { status, body } = await send([
      score(),
      score({ id: 'b', name: '' }),
      score({ id: 'c', traceId: null }),
      'no score',
    ]);
    expect(status).toBe(207);
    expect(body).toEqual({ accepted: 1, rejected: 3, errors: [1, 2, 3].map(() => ({ message: expect.any(String) })) });
    expect(await feedback()).toHaveLength(1);
  });

  it('that come again are there once, and replace themselves where they changed', async () => {
    await aTrace();
    await send([score(), score()]);
    await send([score()]);
    expect(await feedback()).toHaveLength(1);
    await send([score({ value: 0.1, comment: 'No.' })]);
    const [stored, ...others] = await feedback();
    expect([others, stored.scorer_ratings, stored.scorer_rating_reasons]).toEqual([
      [],
      { helpful: 0.1 },
      { helpful: 'No.' },
    ]);
    const { revisions } = (await client.post('/feedback/history', { project_id: PROJECT, id: 'langfuse:s-1' })).json();
    expect(revisions).toHaveLength(1);
  });

  it('wait for their calls: a root comes when all is over', async () => {
    await send([score(), score({ id: 's-2', observationId: CHILD }), score({ id: 's-3', traceId: TRACE_B })]);
    expect([await job(), await feedback()]).toEqual([0, []]);
    await spans(aSpan(TRACE_A, CHILD, { parentSpanId: ROOT }));
    expect(await job()).toBe(1);
    await send([score({ value: 0.2 })]);
    await spans(aSpan(TRACE_A, ROOT));
    expect([await job(), await job()]).toEqual([1, 0]);
    const stored = await feedback();
    const refs = stored.map(({ id, trace_ref }: Record<string, string>) => [id, trace_ref]);
    expect(Object.fromEntries(refs)).toEqual({
      'langfuse:s-1': `hone:///${PROJECT}/call/${ROOT}`,
      'langfuse:s-2': `hone:///${PROJECT}/call/${CHILD}`,
    });
    expect(stored.find(({ id }: { id: string }) => id === 'langfuse:s-1').scorer_ratings).toEqual({ helpful: 0.2 });
    // The third one waits for a day.
    await trace.app.get(WaitingScoresJob).run(Date.now() + 2 * 86_400_000);
    expect(await trace.sql('SELECT FROM waiting_scores')).toEqual([]);
  });

  it('are about the earliest call of a trace whose root never comes', async () => {
    await send([score()]);
    await spans(aSpan(TRACE_A, CHILD, { parentSpanId: ROOT }));
    expect(await job()).toBe(0);
    await trace.sql(`UPDATE waiting_scores SET received_at = now() - interval '11 minutes'`);
    expect(await job()).toBe(1);
    expect((await feedback())[0].trace_ref).toBe(`hone:///${PROJECT}/call/${CHILD}`);
  });

  it('are found by the trace where two traces have a span of one id', async () => {
    await spans(aSpan(TRACE_A, ROOT), aSpan(TRACE_B, ROOT));
    await send([score({ traceId: TRACE_B, observationId: ROOT })]);
    expect((await feedback())[0].trace_ref).toBe(`hone:///${PROJECT}/call/${TRACE_B}-${ROOT}`);
  });

  it('keep kinds of evidence apart', async () => {
    await aTrace();
    const said = await bring({
      scores: [
        score({ id: 'h', source: 'ANNOTATION', authorUserId: 'ann', comment: 'Fine.' }),
        score({ id: 'j', source: 'EVAL' }),
        score({ id: 'k', name: 'tone', value: 'kind', dataType: 'CATEGORICAL' }),
        score({ id: 'o', name: 'output', value: 'It is Berlin.', dataType: 'CORRECTION', source: 'ANNOTATION' }),
        score({ id: 'u', name: 'liked', value: 1, dataType: 'BOOLEAN' }),
      ],
      evidence: { liked: 'human' },
    });
    expect(said).toEqual({ created: 5, updated: 0, unchanged: 0, rejected: [] });
    const stored: Record<string, Record<string, unknown>> = Object.fromEntries(
      (await feedback()).map((one: { id: string }) => [one.id.split(':')[1], one]),
    );
    expect(stored['h']).toMatchObject({ feedback_type: 'human.helpful', runnable_ref: null, creator: 'ann' });
    expect(stored['h']?.['payload']).toMatchObject({ value: 0.9, evidence: 'human', reason: 'Fine.' });
    expect(stored['j']).toMatchObject({ feedback_type: 'hone.runnable.judge.helpful', payload: { evidence: 'judge' } });
    expect(stored['k']).toMatchObject({ scorer_tags: ['kind'], payload: { output: { tone: 'kind' } } });
    expect(stored['o']).toMatchObject({ feedback_type: 'hone.correction.1', payload: { output: 'It is Berlin.' } });
    expect(stored['u']).toMatchObject({ feedback_type: 'human.liked', payload: { value: true } });
  });

  it('of an export are counted: again they change nothing', async () => {
    await aTrace();
    const scores = [
      score(),
      score({ id: 's-2', value: 'x', dataType: 'NUMERIC' }),
      score({ id: 's-3', traceId: TRACE_B }),
    ];
    const rejected = [
      { reason: 'The value should be of the data type.', count: 1, example: 's-2' },
      { reason: 'There is no call of its trace in the project.', count: 1, example: 's-3' },
    ];
    expect(await bring({ scores })).toEqual({ created: 1, updated: 0, unchanged: 0, rejected });
    expect(await bring({ scores })).toEqual({ created: 0, updated: 0, unchanged: 1, rejected });
    expect(await bring({ scores: [score({ value: 0 })] })).toMatchObject({ created: 0, updated: 1 });
    // One without an id is known by its trace, its name, and who judged when.
    const nameless = [score({ id: null, timestamp: '2026-01-15T10:00:00Z' })];
    expect(await bring({ scores: nameless })).toMatchObject({ created: 1 });
    expect(await bring({ scores: nameless })).toMatchObject({ unchanged: 1 });
  });

  it('are read from a CSV file', async () => {
    await aTrace();
    const csv = `id,timestamp,traceId,observationId,name,value,dataType,source,comment\n"c-1",2026-01-15,${TRACE_A},,tone,1,BOOLEAN,ANNOTATION,"Kind, and brief"\n`;
    expect(await bring({ csv })).toMatchObject({ created: 1, rejected: [] });
    expect((await feedback())[0].payload).toMatchObject({
      value: true,
      reason: 'Kind, and brief',
      timestamp: '2026-01-15',
    });
  });

  it('of MLflow find the calls of its traces', async () => {
    await aTrace();
    const assessment = {
      ...{ assessment_id: 'a-1', assessment_name: 'correct', trace_id: `tr-${TRACE_A}`, feedback: { value: true } },
      source: { source_type: 'HUMAN', source_id: 'ann' },
    };
    const row = { trace_id: `tr-${TRACE_A}`, 'fluent/value': 'yes' };
    expect(await bring({ format: 'mlflow', scores: [assessment, row] })).toMatchObject({ created: 2, rejected: [] });
    expect((await feedback()).map((one: { feedback_type: string }) => one.feedback_type).sort()).toEqual([
      'hone.runnable.judge.fluent',
      'human.correct',
    ]);
  });

  it.each([
    ['neither scores nor CSV', {}, 'scores'],
    ['both', { scores: [], csv: 'id' }, 'csv'],
    ['a broken CSV', { csv: 'id,id\n1,2' }, 'csv'],
    ['another format', { scores: [], format: 'other' }, 'format'],
    ['other kinds of evidence', { scores: [], evidence: { n: 'angel' } }, 'evidence'],
  ])('are refused of %s', async (_what, body, field) => {
    const { status, json } = await client.post('/feedback/import', {
      project_id: PROJECT,
      format: 'langfuse',
      ...body,
    });
    expect([status, json().detail[0].loc[1]]).toEqual([422, field]);
  });

  it('of others are not replaced by annotators', async () => {
    await aTrace();
    await bring({ scores: [score()] });
    const ann = await trace.user('ann-imports', { roles: { acme: 'annotator' } });
    const body = { project_id: PROJECT, format: 'langfuse', scores: [score({ value: 0 })] };
    const { status, json } = await trace.as(ann).post('/feedback/import', body);
    expect([status, json()]).toMatchObject([200, { updated: 0, rejected: [{ count: 1, example: 's-1' }] }]);
  });

  it('takes a header without a value for none', async () => {
    const headers = { 'content-type': 'application/json', 'hone-project': '' };
    const body = { id: 's-empty', traceId: TRACE_A, name: 'helpful', value: 1 };
    expect((await client.post('/api/public/scores', body, { headers })).status).toBeLessThan(500);
  });

  describe('in events of SDKs before version 5', () => {
    const event = (id: string, body: object, type = 'score-create') => ({ id, type, timestamp: '2026-01-15', body });
    const ingest = async (...batch: unknown[]) => {
      const { status, json } = await client.post('/api/public/ingestion', { batch, metadata: {} }, IN_PROJECT);
      return { status, body: json() };
    };

    it('are taken, known by the id of their event where they have none', async () => {
      await aTrace();
      const sent = [event('e-1', score()), event('e-2', score({ id: undefined, name: 'tone', value: 'kind' }))];
      const taken = {
        status: 200,
        body: { successes: [...'12'].map((at) => ({ id: `e-${at}`, status: 201 })), errors: [] },
      };
      expect(await ingest(...sent)).toEqual(taken);
      expect(await ingest(...sent)).toEqual(taken);
      expect((await feedback()).map(({ id }: { id: string }) => id).sort()).toEqual(['langfuse:e-2', 'langfuse:s-1']);
    });

    it('are refused one by one, as spans of that form are', async () => {
      await aTrace();
      const sent = [
        event('good', score()),
        event('wrong', score({ id: 'w', name: '' })),
        event('log', {}, 'sdk-log'),
        event('span', { id: 'x' }, 'span-create'),
        'nothing',
        event('bodiless', null as never),
        // One of the id of a good one: that one is stored.
        event('alike', score({ value: 'x', dataType: 'NUMERIC' })),
        { type: 'score-create', body: score() },
      ];
      const { status, body } = await ingest(...sent);
      expect([status, body.successes.map(({ id }: { id: string }) => id)]).toEqual([207, ['good', 'log']]);
      expect(body.errors).toEqual(
        ['wrong', 'span', '4', 'bodiless', 'alike', '7'].map((id) => ({
          id,
          status: 400,
          message: expect.stringMatching(/.{10}/),
        })),
      );
      expect(await feedback()).toHaveLength(1);
    });

    it.each([
      ['no batch', {}],
      ['a list', []],
      ['too many', { batch: Array.from({ length: 10_001 }, () => 0) }],
    ])('are refused as a whole: %s', async (_what, body) => {
      expect((await client.post('/api/public/ingestion', body, IN_PROJECT)).status).toBe(422);
    });
  });
});

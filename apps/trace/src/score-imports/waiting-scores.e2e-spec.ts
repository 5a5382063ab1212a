import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { PROJECT } from '../testing/bodies.fixture.js';
import { erase } from '../testing/erasure.fixture.js';
import { anExport, aSpan, TRACE_A, TRACE_B } from '../testing/spans.fixture.js';
import { TraceModule } from '../trace.module.js';
import { MAX_WAITING } from './early-scores.service.js';
import { WaitingScoresJob } from './waiting-scores-job.js';

const [ROOT, CHILD] = ['1'.repeat(16), '2'.repeat(16)];
const IN_PROJECT = { headers: { 'content-type': 'application/json', 'hone-project': PROJECT } };
const LARGE = 'x'.repeat(1_048_576);

describe('scores that wait for their calls', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
  });
  beforeEach(() => trace.sql('TRUNCATE calls, call_values, feedback, feedback_revisions, waiting_scores'));
  afterAll(() => trace.close());

  const spans = (...sent: object[]) => client.post('/otel/v1/traces', anExport(...sent), IN_PROJECT);
  const send = async (body: unknown, as = client) => {
    const { status, json } = await as.post('/api/public/scores', body, IN_PROJECT);
    return { status, body: json() };
  };
  const feedback = async () => (await client.post('/feedback/query', { project_id: PROJECT })).json().result;
  const waiting = () => trace.sql('SELECT id, svc_user_id FROM waiting_scores ORDER BY id');
  const job = () => trace.app.get(WaitingScoresJob).run();
  const score = (more: object = {}) => ({ id: 's-1', traceId: TRACE_A, name: 'helpful', value: 0.9, ...more });

  it('are stored though another one cannot be', async () => {
    // The cut is within a surrogate pair.
    const comment = `${'x'.repeat(1_023)}😀`;
    await send([score({ id: 'a', comment }), score({ id: 'b', authorUserId: 'BAD' }), score({ id: 'c' })]);
    await trace.sql(String.raw`UPDATE waiting_scores SET score = replace(score, 'BAD', '\u0000')`);
    await spans(aSpan(TRACE_A, ROOT));
    expect([await job(), await job()]).toEqual([2, 0]);
    expect((await feedback()).map(({ id }: { id: string }) => id).sort()).toEqual(['langfuse:a', 'langfuse:c']);
    expect(await waiting()).toMatchObject([{ id: 'langfuse:b' }]);
    await trace.sql(
      `UPDATE waiting_scores SET checked_at = now() - interval '1 second', score = replace(score, '\\u0000', '')`,
    );
    expect([await job(), await waiting()]).toEqual([1, []]);
  });

  it('keep the text of their numbers', async () => {
    const text = JSON.stringify(score({ metadata: { n: 'N' } })).replace('"N"', '12345678901234567890.10');
    expect((await send(text)).status).toBe(200);
    await spans(aSpan(TRACE_A, ROOT));
    expect(await job()).toBe(1);
    const [stored] = await trace.sql('SELECT payload_text FROM feedback');
    expect(stored?.['payload_text']).toContain('"n":12345678901234567890.10');
  });

  it('replace what was stored meanwhile by an earlier form of them, and its history keeps it', async () => {
    await send([score()]);
    await spans(aSpan(TRACE_A, CHILD, { parentSpanId: ROOT }));
    const late = () => trace.sql(`UPDATE waiting_scores SET received_at = now() - interval '11 minutes'`);
    await late();
    expect(await job()).toBe(1);
    await trace.sql(`UPDATE feedback SET created_at = now() - interval '1 hour'`);
    await send([score({ value: 0.1 })]);
    await late();
    expect(await job()).toBe(1);
    expect((await feedback())[0].scorer_ratings).toEqual({ helpful: 0.1 });
    const { revisions } = (await client.post('/feedback/history', { project_id: PROJECT, id: 'langfuse:s-1' })).json();
    expect(revisions).toHaveLength(1);
    // An older one does not.
    await trace.sql('DELETE FROM feedback');
    await send([score({ value: 0.2 })]);
    await late();
    await client.post('/feedback/import', { project_id: PROJECT, format: 'langfuse', scores: [score({ value: 0.3 })] });
    expect(await job()).toBe(1);
    expect((await feedback())[0].scorer_ratings).toEqual({ helpful: 0.3 });
  });

  it('of others are replaced by writers alone', async () => {
    const ann = await trace.user('ann-waits', { roles: { acme: 'annotator' } });
    await send([score()]);
    expect(await send([score({ value: 0 })], trace.as(ann))).toMatchObject({ status: 207, body: { rejected: 1 } });
    expect(await send(score({ value: 0 }), trace.as(ann))).toMatchObject({ status: 403 });
    expect(await waiting()).toEqual([{ id: 'langfuse:s-1', svc_user_id: trace.writer.id }]);
    await spans(aSpan(TRACE_A, ROOT));
    expect(await send(score({ value: 0 }), trace.as(ann))).toMatchObject({ status: 200 });
    expect(await job()).toBe(1);
    expect((await feedback())[0].svc_user_id).toBe(ann.id);
    await trace.sql('TRUNCATE feedback');
    await send([score({ value: 0.5 })]);
    expect(await send(score({ value: 0 }), trace.as(ann))).toMatchObject({ status: 403 });
  });

  it('are dropped where their author may not annotate any more', async () => {
    const eve = await trace.user('eve-waits', { roles: { acme: 'annotator' } });
    expect((await send(score(), trace.as(eve))).status).toBe(200);
    await trace.sql(`UPDATE memberships SET role = 'reader' WHERE user_id = $1`, [eve.id]);
    await spans(aSpan(TRACE_A, ROOT));
    expect([await job(), await waiting(), await feedback()]).toEqual([1, [], []]);
  });

  it('may not be larger than others', async () => {
    expect(await send(score({ comment: LARGE }))).toMatchObject({
      status: 413,
      body: { code: 'feedback.payload_too_large' },
    });
    expect(await waiting()).toEqual([]);
    await spans(aSpan(TRACE_A, ROOT));
    expect((await send(score({ comment: LARGE }))).status).toBe(413);
    expect(await feedback()).toEqual([]);
  });

  it('are deleted by a purge of their ids: of others by writers alone', async () => {
    await send([score(), score({ id: 's-2' })]);
    const query = { $expr: { $eq: [{ $getField: 'id' }, { $literal: 'langfuse:s-1' }] } };
    const purge = (as: TestClient) => as.post('/feedback/purge', { project_id: PROJECT, query });
    const bob = trace.as(await trace.user('bob-waits', { roles: { acme: 'annotator' } }));
    expect((await purge(bob)).status).toBe(403);
    expect((await purge(client)).status).toBe(200);
    expect(await waiting()).toMatchObject([{ id: 'langfuse:s-2' }]);
  });

  it('are erased with the call of their span, and with the last call of their trace', async () => {
    const OTHER = '3'.repeat(16);
    const parentSpanId = '4'.repeat(16);
    await send([score(), score({ id: 'later', traceId: TRACE_B }), score({ id: 's-2', observationId: OTHER })]);
    await spans(aSpan(TRACE_A, CHILD, { parentSpanId }), aSpan(TRACE_A, OTHER, { parentSpanId }));
    const remove = (id: string) => client.post('/calls/delete', { project_id: PROJECT, call_ids: [id] });
    await remove(OTHER);
    await erase(trace);
    expect(await waiting()).toMatchObject([{ id: 'langfuse:later' }, { id: 'langfuse:s-1' }]);
    await remove(CHILD);
    await erase(trace);
    expect(await waiting()).toMatchObject([{ id: 'langfuse:later' }]);
  });

  it('are at most so many, and each project has its share of the work', async () => {
    const [project] = await trace.sql(`SELECT id FROM projects WHERE name = $1`, [PROJECT.split('/')[1]]);
    const fill = `INSERT INTO waiting_scores (project_id, id, trace_id, score, svc_user_id, checked_at)
      SELECT $1, 'x-' || n, 'none', '{}', $1, now() - interval '1 hour' FROM generate_series(1, $2) n`;
    await trace.sql(fill, [project?.['id'], MAX_WAITING - 1]);
    expect(await send([score(), score({ id: 's-2' })])).toMatchObject({
      status: 207,
      body: { accepted: 1, rejected: 1 },
    });
    expect(await send(score({ id: 's-3' }))).toMatchObject({
      status: 429,
      body: { code: 'quota.waiting_scores_full' },
    });
    const elsewhere = { headers: { ...IN_PROJECT.headers, 'hone-project': 'acme/elsewhere' } };
    await client.post('/otel/v1/traces', anExport(aSpan(TRACE_B, CHILD, { parentSpanId: ROOT })), elsewhere);
    await client.post('/api/public/scores', [score({ traceId: TRACE_B })], elsewhere);
    await client.post('/otel/v1/traces', anExport(aSpan(TRACE_B, ROOT)), elsewhere);
    expect(await job()).toBe(1);
  });
});

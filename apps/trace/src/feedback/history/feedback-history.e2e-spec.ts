import { startTestApp, type TestApp, type TestClient, type TestResponse } from '@hone/testing';

import { aFeedback, PROJECT } from '../../testing/bodies.fixture.js';
import { TraceModule } from '../../trace.module.js';

const project_id = PROJECT;
const NOT_FOUND = [404, 'feedback.not_found'];
const codeOf = ({ status, json }: TestResponse) => [status, json().code];
const byId = (id: string) => ({ $expr: { $eq: [{ $getField: 'id' }, { $literal: id }] } });

describe('the history of feedback', () => {
  let trace: TestApp;
  let client: TestClient;
  let annotator: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
    annotator = trace.as(await trace.user('ann', { roles: { acme: 'annotator' } }));
  });
  afterEach(() => trace.sql('DELETE FROM feedback; DELETE FROM feedback_revisions'));
  afterAll(() => trace.close());

  const create = (id: string, fields: object = {}, who = client) =>
    who.post('/feedback/create', aFeedback({ id, ...fields }));
  const replace = async (feedback_id: string, fields: object, who = client): Promise<string> =>
    (await who.post('/feedback/replace', { ...aFeedback(fields), feedback_id })).json().id;
  const history = (id: string, project = project_id) => client.post('/feedback/history', { project_id: project, id });
  const purge = (id: string, who = client) => who.post('/feedback/purge', { project_id, query: byId(id) });
  const idsOf = async (id: string) =>
    (await history(id)).json().revisions.map(({ record }: { record: { id: string } }) => record.id);
  const rows = async () => (await trace.sql('SELECT 1 FROM feedback_revisions')).length;

  it('keeps what was replaced, whole and with the text of its numbers', async () => {
    const text = JSON.stringify(
      aFeedback({ id: 'a', creator: 'é', scorer_tags: ['x', 'x'], scorer_ratings: { overall: 0.5 } }),
    );
    await client.post(
      '/feedback/create',
      text.replace(/"payload":\{.*?\}/, '"payload":{"n":1.0,"big":12345678901234567890,"odd":"\\u0000\\ud800"}'),
    );
    const [before] = (await client.post('/feedback/query', { project_id })).json().result;
    expect((await history('a')).json()).toEqual({ revisions: [] });
    const big = 'y'.repeat(400_000);
    const second = await replace('a', { payload: { big }, reason: 'a slip' }, client);
    const third = await replace(second, { id: 'c' });
    const answer = await history(third);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('{"n":1.0,"big":12345678901234567890,"odd":"\\u0000\\ud800"}');
    expect(answer.json()).toEqual({
      revisions: [
        {
          revision: 0,
          replaced_at: expect.stringMatching(/\.\d{3}Z$/),
          replaced_by: trace.writer.id,
          reason: 'a slip',
          record: before,
        },
        expect.objectContaining({
          revision: 1,
          reason: null,
          record: expect.objectContaining({ id: second, payload: { big } }),
        }),
      ],
    });
    for (const id of ['a', second, third]) expect((await history(id)).text).toBe(answer.text);
    await replace('c', { id: 'c', payload: { again: true } });
    expect(await idsOf('c')).toEqual(['a', second, 'c']);
  });

  it('purges with a record what it replaced, and what was replaced by its own id', async () => {
    await create('a');
    await replace(await replace('a', { id: 'b' }), { id: 'c' });
    expect((await purge('a')).status).toBe(200);
    expect(await idsOf('c')).toEqual(['b']);
    expect(codeOf(await history('a'))).toEqual(NOT_FOUND);
    expect((await purge('c')).status).toBe(200);
    expect([codeOf(await history('c')), codeOf(await history('b')), await rows()]).toEqual([NOT_FOUND, NOT_FOUND, 0]);
    // The ids are free again, without a past.
    await create('a');
    expect(await idsOf('a')).toEqual([]);
  });

  it('lets annotators purge nothing of others, in the past neither', async () => {
    await create('theirs');
    await replace('theirs', { id: 'new' });
    expect((await purge('theirs', annotator)).status).toBe(403);
    expect(await rows()).toBe(1);
    await create('mine', {}, annotator);
    await replace('mine', { id: 'mine-2' }, annotator);
    expect((await purge('mine', annotator)).status).toBe(200);
    expect(await idsOf('mine-2')).toEqual([]);
  });

  it('keeps nothing of a replacement that is refused, nor of another project', async () => {
    await create('a');
    await create('taken', { payload: { other: 1 } });
    expect((await client.post('/feedback/replace', { ...aFeedback({ id: 'taken' }), feedback_id: 'a' })).status).toBe(
      409,
    );
    expect([await idsOf('a'), await rows()]).toEqual([[], 0]);
    await create('x', { project_id: 'acme/other' });
    expect(codeOf(await history('x'))).toEqual(NOT_FOUND);
    expect(codeOf(await history('x', 'acme/nothing'))).toEqual([404, 'project.not_found']);
    expect(codeOf(await history("' OR true --"))).toEqual(NOT_FOUND);
    const wrong = await client.post('/feedback/replace', { ...aFeedback(), feedback_id: 'a', reason: '' });
    expect(wrong.json().detail).toMatchObject([{ loc: ['body', 'reason'], type: 'string_too_short' }]);
  });

  it('joins the past of two records when one takes the place of both', async () => {
    await create('a');
    await replace('a', { id: 'same', payload: { n: 1 } });
    await create('b');
    await replace('b', { id: 'b', payload: { n: 2 } });
    await replace('b', { id: 'same', payload: { n: 1 } });
    expect(await idsOf('same')).toEqual(['a', 'b', 'b']);
  });
});

import { startTestApp, type TestApp, type TestClient, type TestResponse } from '@hone/testing';

import { aFeedback, PROJECT } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';

const project_id = PROJECT;
const ID = { $getField: 'id' };
const is = (id: unknown) => ({ $eq: [ID, { $literal: id }] });
const codeOf = ({ status, json }: TestResponse) => [status, json().code];
const NEEDS_WRITER = { detail: "This needs the role 'writer' on entity 'acme'.", code: 'access.denied' };

describe('replacing and purging feedback', () => {
  let trace: TestApp;
  let client: TestClient;
  let annotator: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
    annotator = trace.as(await trace.user('ann', { roles: { acme: 'annotator' } }));
  });
  afterEach(() => trace.sql('DELETE FROM feedback'));
  afterAll(() => trace.close());

  const create = async (id: string, fields: object = {}, who = client) =>
    (await who.post('/feedback/create', aFeedback({ id, ...fields }))).status;
  const replace = (feedback_id: string, fields: object = {}, who = client) =>
    who.post('/feedback/replace', { ...aFeedback(fields), feedback_id });
  const purge = ($expr: unknown, who = client) => who.post('/feedback/purge', { project_id, query: { $expr } });
  const ids = async () =>
    (await trace.sql<{ id: string }>('SELECT id FROM feedback ORDER BY id COLLATE "C"')).map(({ id }) => id);

  it('purges what is named by $eq, $in and $or of these, for good', async () => {
    for (const id of ['a', 'b', 'c', 'd', "it's"]) await create(id);
    for (const [expression, left] of [
      [is('a'), ['b', 'c', 'd', "it's"]],
      [is('a'), ['b', 'c', 'd', "it's"]],
      [{ $in: [ID, [{ $literal: 'b' }, { $literal: 'never was' }]] }, ['c', 'd', "it's"]],
      [{ $or: [is('c'), { $or: [{ $in: [ID, [{ $literal: "it's" }]] }] }] }, ['d']],
      [{ $or: [] }, ['d']],
      [{ $in: [ID, []] }, ['d']],
    ] as const) {
      const response = await purge(expression);
      expect([response.status, response.json(), await ids()]).toEqual([200, {}, left]);
    }
    expect(await create('a', { payload: { other: 1 } })).toBe(200);
  });

  it.each([
    ['a comparison', { $gt: [ID, { $literal: '' }] }],
    ['a negation', { $not: [is('a')] }],
    ['all of several', { $and: [is('a')] }],
    ['another field', { $eq: [{ $getField: 'feedback_type' }, { $literal: 't' }] }],
    ['two fields', { $eq: [ID, ID] }],
    ['a literal alone', { $literal: true }],
    ['a pattern', { $contains: { input: ID, substr: { $literal: '' } } }],
    ['a condition hidden behind an id', { $or: [is('a'), { $not: [is('none')] }] }],
    ['a number', is(1)],
    ['nothing', {}],
    ['two operators', { ...is('a'), $in: [ID, [{ $literal: 'b' }]] }],
  ])('refuses to purge by %s, and deletes nothing', async (_what, expression) => {
    await create('a');
    await create('b');
    expect([(await purge(expression)).status, await ids()]).toEqual([422, ['a', 'b']]);
  });

  it('lets annotators purge and replace their own, writers those of everyone', async () => {
    await create('theirs');
    await create('mine', {}, annotator);
    await create('too', {}, annotator);
    const all = { $in: [ID, ['mine', 'theirs'].map((id) => ({ $literal: id }))] };
    const denied = await purge(all, annotator);
    expect([denied.status, denied.json(), await ids()]).toEqual([403, NEEDS_WRITER, ['mine', 'theirs', 'too']]);
    const kept = await replace('theirs', { id: 'new' }, annotator);
    expect([kept.status, kept.json(), await ids()]).toEqual([403, NEEDS_WRITER, ['mine', 'theirs', 'too']]);
    expect((await replace('mine', { id: 'new' }, annotator)).status).toBe(200);
    expect((await purge(is('new'), annotator)).status).toBe(200);
    expect(await ids()).toEqual(['theirs', 'too']);
    expect((await replace('too', { id: 'too', payload: { by: 'writer' } })).json().svc_user_id).toBe(trace.writer.id);
    expect((await purge(is('too'))).status).toBe(200);
    const reader = trace.as(await trace.user('reed', { roles: { acme: 'reader' } }));
    expect((await purge(is('theirs'), reader)).status).toBe(403);
    expect(await ids()).toEqual(['theirs']);
  });

  it('reaches no record of another project', async () => {
    await create('x', { project_id: 'acme/other' });
    await create('y');
    expect((await purge(is('x'))).status).toBe(200);
    expect(codeOf(await replace('x', { id: 'new' }))).toEqual([404, 'feedback.not_found']);
    expect(await ids()).toEqual(['x', 'y']);
    const unknown = { project_id: 'acme/nothing' };
    expect(codeOf(await replace('x', unknown))).toEqual([404, 'project.not_found']);
    expect(codeOf(await client.post('/feedback/purge', { ...unknown, query: { $expr: is('x') } }))).toEqual([
      404,
      'project.not_found',
    ]);
    expect(await trace.sql(`SELECT 1 FROM projects WHERE name = 'nothing'`)).toEqual([]);
  });

  it('replaces a record by one with a new id, the given id, or the same', async () => {
    await create('a', { payload: { n: 1 }, creator: 'old' });
    const fresh = await replace('a', { payload: { n: 2.0, deep: 'é' } });
    expect([fresh.status, fresh.json()]).toEqual([
      200,
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        created_at: expect.stringMatching(/Z$/),
        svc_user_id: trace.writer.id,
        payload: { n: 2, deep: 'é' },
      },
    ]);
    expect((await replace(fresh.json().id, { id: 'b', payload: { n: 3 } })).json().id).toBe('b');
    expect((await replace('b', { id: 'b', payload: { n: 4 } })).json()).toMatchObject({ id: 'b', payload: { n: 4 } });
    const { result } = (await client.post('/feedback/query', { project_id })).json();
    expect(result).toMatchObject([{ id: 'b', payload: { n: 4 }, creator: null }]);
    expect(codeOf(await replace('a'))).toEqual([404, 'feedback.not_found']);
  });

  it('keeps the old record where the new one does not pass', async () => {
    await create('old', { payload: { n: 1 } });
    await create('taken', { payload: { n: 2 } });
    expect(codeOf(await replace('old', { id: 'taken', payload: { n: 3 } }))).toEqual([409, 'feedback.id_taken']);
    const note = await replace('old', { feedback_type: 'hone.note.1' });
    expect(note.json()).toEqual({
      detail: [{ loc: ['body', 'payload', 'note'], msg: 'Field required', type: 'missing' }],
    });
    expect(codeOf(await replace('old', { payload: { big: 'x'.repeat(1_048_576) } }))).toEqual([
      413,
      'feedback.payload_too_large',
    ]);
    const without = await client.post('/feedback/replace', aFeedback());
    expect(without.json().detail).toEqual([{ loc: ['body', 'feedback_id'], msg: 'Field required', type: 'missing' }]);
    expect(await ids()).toEqual(['old', 'taken']);
  });

  it('replaces a payload that is stored in chunks', async () => {
    await create('big', { payload: { text: 'x'.repeat(400_000) } });
    const text = 'y'.repeat(400_000);
    expect((await replace('big', { id: 'big', payload: { text } })).json().payload.text).toBe(text);
    const { result } = (await client.post('/feedback/query', { project_id })).json();
    expect(result[0].payload.text).toBe(text);
  });

  it('replaces once when asked twice with one Idempotency-Key', async () => {
    await create('a');
    const body = { ...aFeedback({ payload: { n: 1 } }), feedback_id: 'a' };
    const options = { headers: { 'idempotency-key': 'k' } };
    const [first, second] = [
      await client.post('/feedback/replace', body, options),
      await client.post('/feedback/replace', body, options),
    ];
    expect([first.status, second.status, second.text]).toEqual([200, 200, first.text]);
    expect(await ids()).toEqual([first.json().id]);
  });

  it('lets one of many parallel replacements of a record win', async () => {
    await create('a');
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => replace('a', { id: `n${n}` })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 11 }, () => 404)]);
    expect(await ids()).toHaveLength(1);
  });

  it('has no deadlock when records are swapped, purged and created at once', async () => {
    const names = Array.from({ length: 6 }, (_, n) => `n${n}`);
    for (const id of names) await create(id);
    const $in = [ID, names.map((id) => ({ $literal: id }))];
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, n) => {
        const [from, to] = [names[n % 6] as string, names[(n * 5 + 3) % 6] as string];
        if (n % 8 === 0) return purge({ $in });
        if (n % 8 === 1) {
          const batch = (n % 16 === 1 ? names : [...names].reverse()).map((id) => aFeedback({ id }));
          return client.post('/feedback/batch/create', { batch });
        }
        return replace(from, { id: to, payload: { n } });
      }),
    );
    expect(answers.map(({ status }) => status).filter((status) => ![200, 404, 409].includes(status))).toEqual([]);
  });
});

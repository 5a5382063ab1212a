import { CallBackfillsRepository, CallSearchRepository, toCallDocument } from '@hone/calls';
import { startTestApp, type TestApp, type TestClient } from '@hone/testing';
import { until } from '@hone/testing/until';

import { aCallStart, aWholeCall, PROJECT } from '../../testing/bodies.fixture.js';
import { TraceModule } from '../../trace.module.js';
import { ErasureJob } from '../erasure/erasure-job.js';
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

  it('finds phrases, words of one side, and those that are written without spaces', async () => {
    await complete(
      call('a', 'next week or never', 'user@example.com paid 3.14'),
      call('b', 'week next', '14 3'),
      call('c', '東京都に行きたい', 'ภาษาไทย'),
      call('d', '京都の東', '🎉 done'),
      call('e', ['next', 'week'], 'never'),
    );
    await index();
    expect(await found('"next week"')).toEqual(['a']);
    expect(await found('week next')).toEqual(['a', 'b', 'e']);
    expect(await found('never', 'output')).toEqual(['e']);
    expect(await found('never', 'inputs')).toEqual(['a']);
    expect(await found('3.14')).toEqual(['a']);
    expect(await found('user@example.com')).toEqual(['a']);
    expect(await found('東京')).toEqual(['c']);
    expect(await found('京都')).toEqual(['c', 'd']);
    expect(await found('京')).toEqual(['c', 'd']);
    expect(await found('ไทย')).toEqual(['c']);
    expect(await found('🎉')).toEqual(['d']);
    expect(await found('question')).toEqual([]); // a key
  });

  it('finds the calls that a model over their texts finds', async () => {
    const words = ['ada', 'bob', 'cat', 'dog', 'elk', 'fox'];
    const calls = rounds(60, (random) => {
      const text = () => Array.from({ length: 1 + (random() % 5) }, () => words[random() % words.length]).join(' ');
      return { id: `m${random()}`, question: text(), answer: text() };
    });
    await complete(...calls.map(({ id, question, answer }) => call(id, question, answer)));
    await index();
    const has = (text: string, word: string) => text.split(' ').includes(word);
    for (const word of words)
      for (const other of words) {
        const both = calls.filter((one) => [word, other].every((w) => has(`${one.question} ${one.answer}`, w)));
        const phrase = calls.filter((one) =>
          [one.question, one.answer].some((text) => ` ${text} `.includes(` ${word} ${other} `)),
        );
        const asked = calls.filter((one) => has(one.question, word) && has(one.question, other));
        expect(await found(`${word} ${other}`)).toEqual(idsOf(both));
        expect(await found(`"${word} ${other}"`)).toEqual(idsOf(phrase));
        expect(await found(`${word} ${other}`, 'inputs')).toEqual(idsOf(asked));
      }
  });

  it('waits for calls that were just written, and finds both halves and what replaced them', async () => {
    const start = { ...aCallStart('late', { inputs: { q: 'alpha' } }) };
    await client.post('/call/start', { start });
    expect(await found('alpha')).toEqual(['late']);
    const end = { project_id: PROJECT, id: 'late', ended_at: '2026-01-15T10:00:00Z', output: 'omega', summary: {} };
    await client.post('/call/end', { end });
    expect(await found('alpha omega')).toEqual(['late']);
    await client.post('/call/start', { start: { ...start, inputs: { q: 'beta' } } });
    expect(await found('alpha')).toEqual([]);
    expect(await found('beta omega')).toEqual(['late']);
  });

  it('combines with other operators, in lists, counts, facets, charts and exports', async () => {
    await complete(call('a', 'red', 1), call('b', 'red', 2), call('c', 'blue', 1));
    await index();
    const red = searched('red').$expr;
    const one = { $eq: [{ $getField: 'output' }, { $literal: 1 }] };
    const ids = async ($expr: object) =>
      ((await query({ query: { $expr } })).json() as { calls: { id: string }[] }).calls.map(({ id }) => id).sort();
    expect(await ids({ $and: [red, one] })).toEqual(['a']);
    expect(await ids({ $or: [red, one] })).toEqual(['a', 'b', 'c']);
    expect(await ids({ $not: [red] })).toEqual(['c']);
    const body = { project_id: PROJECT, query: { $expr: red } };
    expect((await client.post('/calls/query_stats', body)).json()).toMatchObject({ count: 2 });
    expect((await client.post('/calls/facets', { ...body, fields: ['output'] })).json()).toMatchObject({ count: 2 });
    const lines = await client.post('/export', { ...body, source: 'calls', format: 'raw' });
    expect(lines.text.trim().split('\n')).toHaveLength(2);
    expect((await client.post('/calls/stats', { ...body, start: '2026-01-01T00:00:00Z' })).status).toBe(200);
  });

  it('forgets what is deleted and erased', async () => {
    await complete(call('a', 'Lovelace'), call('b', 'Lovelace'));
    await index();
    await client.post('/calls/delete', { project_id: PROJECT, call_ids: ['a'] });
    expect(await found('lovelace')).toEqual(['b']);
    await trace.app.get(ErasureJob, { strict: false }).run();
    await index();
    expect(await trace.sql('SELECT id FROM call_search')).toEqual([{ id: 'b' }]);
  });

  it('holds numbers and no words', async () => {
    await complete(call('a', 'Lovelace'));
    await index();
    const [row] = await trace.sql<{ text: string }>('SELECT s::text AS text FROM call_search s');
    expect(row?.text).not.toMatch(/lovelace/i);
  });

  it('adds calls that were stored before, after a kill from where it was', async () => {
    const ids = Array.from({ length: 600 }, (_, n) => `c${String(n).padStart(4, '0')}`);
    await complete(...ids.map((id) => call(id, 'old words')));
    await trace.sql('TRUNCATE call_search, call_search_queue');
    await trace.sql(
      `INSERT INTO call_backfills (project_id, name) SELECT id, 'call_search' FROM projects WHERE name = 'demo'`,
    );
    const state = async () => (await client.post('/project/search/read', { project_id: PROJECT })).json();
    expect(await state()).toMatchObject({ state: 'building', building: { done_calls: 0, total_calls: null } });
    const backfill = trace.app
      .get(CallSearchRepository, { strict: false })
      .backfill(async (texts) => texts.map(toCallDocument));
    const backfills = trace.app.get(CallBackfillsRepository, { strict: false });
    await backfills.step(backfill);
    await backfills.step(backfill);
    const dying = async () => Promise.reject(new Error('killed'));
    await expect(backfills.step({ ...backfill, fill: dying })).rejects.toThrow('killed');
    expect(await state()).toMatchObject({ building: { done_calls: 250, total_calls: 600 } });
    expect(await found('old')).toHaveLength(250);
    const export_ = { project_id: PROJECT, source: 'calls', format: 'raw', query: searched('old') };
    expect((await client.post('/export', export_)).json()).toMatchObject({ code: 'search.incomplete' });
    while (await backfills.step(backfill));
    expect(await found('old')).toHaveLength(600);
    expect(await state()).toEqual({ search: true, state: 'ready', waiting_calls: 0, building: null });
  });

  it('adds calls that were stored before while others are written all the time', async () => {
    await complete(...Array.from({ length: 300 }, (_, n) => call(`old-${n}`, 'old words')));
    await trace.sql('TRUNCATE call_search, call_search_queue');
    await trace.sql(
      `INSERT INTO call_backfills (project_id, name) SELECT id, 'call_search' FROM projects WHERE name = 'demo'`,
    );
    let isWriting = true;
    const write = async () => {
      for (let n = 0; isWriting; n++) await complete(call(`new-${n}`, 'new words'));
    };
    const [writing, indexing] = [write(), index()];
    const open = () => trace.sql('SELECT FROM call_backfills WHERE finished_at IS NULL');
    await until(async () => (await open()).length === 0, 'the end of the backfill').finally(() => (isWriting = false));
    await Promise.all([writing, indexing]);
    expect(await found('old')).toHaveLength(300);
  });

  it('is turned off and on by owners', async () => {
    await complete(call('a', 'red'));
    await index();
    const owner = trace.as(await trace.user('olga', { roles: { acme: 'owner' } }));
    const put = (search: boolean) => owner.post('/project/search/update', { project_id: PROJECT, search });
    expect((await put(false)).json()).toMatchObject({ search: false, state: 'off' });
    await complete(call('b', 'red'));
    await index();
    expect(await trace.sql('SELECT id FROM call_search')).toEqual([]);
    expect((await query({ query: searched('red') })).json()).toMatchObject({ code: 'search.off' });
    expect((await put(true)).json()).toMatchObject({ state: 'building' });
    await index();
    expect(await found('red')).toEqual(['a', 'b']);
  });

  it.each([
    ['no words', {}, ['words'], 'missing'],
    ['a bare text', { words: 'red' }, ['words'], 'value_error'],
    ['a field as words', { words: { $getField: 'op_name' } }, ['words'], 'value_error'],
    ['an empty text', { words: { $literal: '' } }, ['words', '$literal'], 'value_error'],
    ['signs alone', { words: { $literal: '?!' } }, ['words', '$literal'], 'value_error'],
    ['U+0000', { words: { $literal: 'a\0' } }, ['words', '$literal'], 'string_unicode'],
    ['33 words', { words: { $literal: 'a '.repeat(33) } }, ['words', '$literal'], 'value_error'],
    ['1,025 characters', { words: { $literal: '京'.repeat(1_025) } }, ['words', '$literal'], 'value_error'],
    ['another field', { words: { $literal: 'a' }, input: { $getField: 'summary' } }, ['input'], 'value_error'],
    ['an unknown member', { words: { $literal: 'a' }, inside: 1 }, ['inside'], 'extra_forbidden'],
    ['a text', 'red', [], 'dict_type'],
  ])('refuses %s', async (_name, argument, loc, type) => {
    const { status, json } = await query({ query: { $expr: { $search: argument } } });
    expect(status).toBe(422);
    expect(json()).toMatchObject({ detail: [{ loc: ['body', 'query', '$expr', '$search', ...loc], type }] });
  });

  it('refuses more than eight searches, and any of other records', async () => {
    const many = { $or: Array.from({ length: 9 }, () => searched('a').$expr) };
    expect((await query({ query: { $expr: many } })).status).toBe(422);
    const feedback = await client.post('/feedback/query', { project_id: PROJECT, query: searched('a') });
    expect(feedback.json()).toMatchObject({ detail: [{ msg: expect.stringMatching(/for calls only/) }] });
  });
});

const idsOf = (calls: readonly { id: string }[]): string[] => calls.map(({ id }) => id).sort();

/** What a generator of pseudo-random numbers makes in rounds, always the same. */
function rounds<T>(count: number, make: (random: () => number) => T): T[] {
  let state = 7;
  const random = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) >>> 8;
  return Array.from({ length: count }, () => make(random));
}

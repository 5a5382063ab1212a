import { join } from 'node:path';

import { openBaseModel, planningTokenizerOf, planSft, resolveSftConfig } from '@hone/engine';
import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { aFeedback, aWholeCall, PROJECT } from '../testing/bodies.fixture.js';
import { TraceModule } from '../trace.module.js';

const TINY = join(import.meta.dirname, '../../../../models/hone-tiny');
const chat = (id: string, n: number, fields: object = {}) =>
  aWholeCall(id, {
    ...{ op_name: 'chat', started_at: `2026-01-15T09:00:${String(n % 60).padStart(2, '0')}Z` },
    inputs: { model: 'm', messages: [{ role: 'user', content: `${n}+1` }] },
    output: { choices: [{ message: { role: 'assistant', content: String(n + 1) } }] },
    ...fields,
  });

describe('POST /export', () => {
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    trace = await startTestApp(TraceModule);
    client = trace.as(trace.writer);
    const batch = [
      ...Array.from({ length: 30 }, (_, n) => chat(`chat${n}`, n)),
      aWholeCall('plain', { started_at: '2026-01-15T09:00:40Z' }),
      chat('large', 41, { output: 'x'.repeat(300_000) }),
      chat('tools', 42, {
        inputs: {
          messages: [
            { role: 'system', content: 's' },
            { role: 'user', content: 'u' },
          ],
          tools: [{ name: 'add' }],
        },
        output: {
          role: 'assistant',
          content: null,
          tool_calls: [{ function: { name: 'add', arguments: { a: 1 } } }],
        },
      }),
    ];
    expect((await client.post('/v2/acme/demo/calls/complete', { batch })).status).toBe(200);
    const judge = (n: number, fields: object) =>
      aFeedback({ id: `f${n}`, trace_ref: `hone:///acme/demo/call/chat${n}`, feedback_type: 'quality', ...fields });
    const records = [
      judge(1, { scorer_tags: ['good'], scorer_ratings: { overall: 0.9 } }),
      judge(2, { scorer_tags: ['bad'], scorer_ratings: { overall: 0.2 } }),
      judge(3, { scorer_tags: ['good'], scorer_ratings: { other: 1 } }),
      judge(4, { feedback_type: 'other', scorer_tags: ['good'], scorer_ratings: { overall: 1 } }),
      judge(5, { scorer_ratings: { overall: 0.8 }, trace_ref: 'x:///acme/demo/call/chat1' }),
      judge(6, { trace_ref: 'hone:///acme/demo/call/plain', scorer_ratings: { overall: 1 } }),
      judge(7, { trace_ref: 'hone:///globex/demo/call/chat8', scorer_ratings: { overall: 1 } }),
    ];
    expect((await client.post('/feedback/batch/create', { batch: records })).status).toBe(200);
  });
  afterAll(() => trace.close());

  const exported = async (fields: object) => {
    const { authorization } = { authorization: `Basic ${Buffer.from(`api:${trace.writer.key}`).toString('base64')}` };
    const payload = { project_id: PROJECT, source: 'calls', ...fields };
    const answer = await trace.app.inject({ method: 'POST', url: '/export', headers: { authorization }, payload });
    expect([answer.statusCode, answer.headers['content-type'], answer.payload.slice(0, 500)]).toEqual([
      ...[200, 'application/x-ndjson; charset=utf-8', expect.any(String)],
    ]);
    const lines = answer.payload.split('\n');
    expect(lines.pop()).toBe('');
    const { 'x-row-count': rows, 'x-skipped': skipped } = answer.trailers;
    expect(rows).toBe(String(lines.length));
    return { lines, skipped: Number(skipped) };
  };
  const idsOf = ({ lines }: { lines: string[] }) => lines.map((line) => (JSON.parse(line) as { id: string }).id);
  const questionsOf = ({ lines }: { lines: string[] }) =>
    lines.map((line) => (JSON.parse(line) as { messages: { content: string }[] }).messages[0]?.content);
  const quality = (fields: object = {}) => ({ feedback_type: 'quality', ...fields });

  it('has calls and feedback as their queries answer them', async () => {
    for (const [source, path] of [
      ['calls', '/calls/query'],
      ['feedback', '/feedback/query'],
    ] as const) {
      const { lines, skipped } = await exported({ source });
      const { calls, result } = (await client.post(path, { project_id: PROJECT })).json();
      expect([lines.map((line) => JSON.parse(line)), skipped]).toEqual([calls ?? result, 0]);
    }
    const nowhere = await exported({ project_id: 'acme/nowhere', format: 'raw' });
    expect(nowhere).toEqual({ lines: [], skipped: 0 });
  });

  it('has the calls that a filter, an expression and feedback mean', async () => {
    const of = async (fields: object) => idsOf(await exported(fields));
    expect(await of({ filter: { call_ids: ['chat7', 'plain'] } })).toEqual(['chat7', 'plain']);
    const query = { $expr: { $eq: [{ $getField: 'inputs.messages.0.content' }, { $literal: '9+1' }] } };
    expect(await of({ query })).toEqual(['chat9']);
    expect(await of({ query, filter: { call_ids: ['chat7'] } })).toEqual([]);
    expect(await of({ feedback: quality() })).toEqual(['chat1', 'chat2', 'chat3', 'plain']);
    expect(await of({ feedback: quality({ tags: ['good', 'x'] }) })).toEqual(['chat1', 'chat3']);
    expect(await of({ feedback: quality({ rating: { name: 'overall', min: 0.8 } }) })).toEqual(['chat1', 'plain']);
    expect(await of({ feedback: quality({ rating: { name: 'overall', min: 0.1, max: 0.5 } }) })).toEqual(['chat2']);
    expect(await of({ feedback: quality({ rating: { name: 'other' }, tags: ['good'] }) })).toEqual(['chat3']);
    expect(await of({ feedback: { feedback_type: "'; --" } })).toEqual([]);
  });

  it('has the feedback that an expression and a selection mean', async () => {
    const of = async (fields: object) => idsOf(await exported({ source: 'feedback', ...fields }));
    const query = { $expr: { $eq: [{ $getField: 'creator' }, { $literal: 'nobody' }] } };
    expect(await of({ query })).toEqual([]);
    expect(await of({ feedback: quality({ tags: ['good'] }) })).toEqual(['f1', 'f3']);
    const byId = { $expr: { $in: [{ $getField: 'id' }, [{ $literal: 'f2' }, { $literal: 'f4' }]] } };
    expect(await of({ query: byId })).toEqual(['f2', 'f4']);
    expect(await of({ query: byId, feedback: quality() })).toEqual(['f2']);
  });

  it('has conversations, the calls without one skipped', async () => {
    const all = await exported({ format: 'sft' });
    expect([all.lines.length, all.skipped]).toEqual([32, 1]);
    expect(JSON.parse(all.lines[3] as string)).toEqual({
      messages: [
        { role: 'user', content: '3+1' },
        { role: 'assistant', content: '4' },
      ],
    });
    expect(all.lines.at(-1)).toContain('"arguments":"{\\"a\\":1}"');
    expect(JSON.parse(all.lines.at(-1) as string).tools).toEqual([{ type: 'function', function: { name: 'add' } }]);
    const judged = await exported({ format: 'sft', feedback: quality({ rating: { name: 'overall', min: 0.8 } }) });
    expect([questionsOf(judged), judged.skipped]).toEqual([['1+1'], 1]);
    const ofFeedback = await exported({ source: 'feedback', format: 'sft', feedback: quality({ tags: ['good'] }) });
    // Of each judged call once, however many records judge it.
    expect([questionsOf(ofFeedback), ofFeedback.skipped]).toEqual([['1+1', '3+1'], 0]);
    const query = { $expr: { $eq: [{ $getField: 'id' }, { $literal: 'f4' }] } };
    expect(questionsOf(await exported({ source: 'feedback', format: 'sft', query }))).toEqual(['4+1']);
  });

  it('has conversations that training takes, each of which ends with what it learns', async () => {
    const { lines } = await exported({ format: 'sft' });
    for (const line of lines) expect(JSON.parse(line).messages.at(-1).role).toBe('assistant');
    const tokenizer = planningTokenizerOf(await openBaseModel(TINY));
    const plan = await planSft(lines, resolveSftConfig({}), { tokenizer, contextLength: 100_000 });
    expect(plan.counts.trajectoriesTrained + (plan.counts.dropped['too_long'] ?? 0)).toBe(lines.length);
    expect(plan.counts.trainableTokens).toBeGreaterThan(lines.length);
  });

  it('refuses what is wrong, at its place', async () => {
    for (const [fields, loc, type] of [
      [{ source: 'objects' }, ['source'], 'enum'],
      [{ format: 'csv' }, ['format'], 'enum'],
      [{ source: 'feedback', filter: {} }, ['filter'], 'extra_forbidden'],
      [{ query: { $expr: { $getField: 'creator' } } }, ['query', '$expr', '$getField'], 'value_error'],
      [{ feedback: {} }, ['feedback', 'feedback_type'], 'missing'],
      [{ feedback: quality({ rating: { min: 1 } }) }, ['feedback', 'rating', 'name'], 'missing'],
    ] as const) {
      const body = { project_id: PROJECT, ...{ source: 'calls' }, ...fields };
      const { status, json } = await client.post('/export', body);
      expect([status, json().detail]).toMatchObject([422, [{ loc: ['body', ...loc], type }]]);
    }
  });
});

import type { TrainingDataDto } from '@hone/contracts';

import { addCheckpoints, createModel } from '../models/model.fixture.js';
import { startTrainingApp, type TrainingApp } from '../training-app.fixture.js';
import { type ACall, SourceCalls } from './source-calls.fixture.js';

const PATH = '/v1/preview/training-data/from-calls';

let app: TrainingApp;
let calls: SourceCalls;
let modelId: string;
let made = 0;
beforeAll(async () => {
  app = await startTrainingApp();
  modelId = await createModel(app.caller);
  calls = await SourceCalls.of(app);
});
afterAll(() => app.close());

const only = (ids: string[]) => ({ source: { filter: { call_ids: ids } } });
const post = (body: object, caller = app.caller) =>
  caller.post(PATH, { entity: 'acme', project: 'p', name: `data-${made++}`, kind: 'sft', source: {}, ...body });
const make = async (body: object): Promise<TrainingDataDto> => {
  const response = await post(body);
  expect([response.status, response.text.slice(0, 500)]).toEqual([200, expect.any(String)]);
  return response.json();
};
async function linesOf(url: string | undefined): Promise<string[]> {
  const [, entity, project, name, version, file] =
    /^hone-artifact:\/\/\/(.*?)\/(.*?)\/(.*?):(v\d+)\/(.*)$/.exec(url ?? '') ?? [];
  const response = await app.caller.get(`/v1/preview/artifacts/${entity}/${project}/${name}/${version}/files/${file}`);
  expect(response.status).toBe(200);
  return response.text.split('\n').slice(0, -1);
}
const reasonsOf = ({ skipped }: TrainingDataDto) =>
  Object.fromEntries(skipped.map(({ reason, count, examples }) => [reason, [count, examples.length]]));
const sampled = (answer: number[], more: ACall = {}): ACall => ({
  ...{ modelId, tokens: { prompt: [10, 11], answer }, answer: answer.join(' ') },
  ...more,
});

describe('POST /v1/preview/training-data/from-calls', () => {
  it('makes conversations of calls, corrected where somebody knew better', async () => {
    const ids = await calls.add(
      { prompt: 'a', answer: 'A' },
      { prompt: 'b', answer: 'x', correction: 'B' },
      { prompt: 'c', answer: 'x', correction: { role: 'assistant', content: 'C' } },
      { prompt: 'a', answer: 'A' },
    );
    const data = await make(only(ids));
    expect(data).toEqual({
      url: expect.stringMatching(/^hone-artifact:\/\/\/acme\/p\/data-\d+:v0$/),
      kind: 'sft',
      reason: null,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      splits: { train: `${data.url}/train.jsonl` },
      counts: { calls: 4, used: 3, lines: 3, untrainable: 0, groups: 0, trajectories: 0, tokens: 0 },
      skipped: [{ reason: 'duplicate', count: 1, examples: [ids[3]], hint: null }],
      policy: null,
      coverage: null,
      preview: expect.any(Array),
      diagnosis: null,
    });
    const line = (prompt: string, answer: string) => ({
      messages: [
        { role: 'user', content: prompt },
        { role: 'assistant', content: answer },
      ],
    });
    const expected = [line('a', 'A'), line('b', 'B'), line('c', 'C')];
    expect((await linesOf(data.splits?.['train'])).map((text) => JSON.parse(text))).toEqual(expected);
    expect(data.preview).toEqual(
      expected.map((text, index) => ({ split: 'train', call_ids: [ids[index]], line: text })),
    );
    const corrected = await make({ ...only(ids), corrections: 'only' });
    expect([corrected.counts.used, reasonsOf(corrected)]).toEqual([2, { no_correction: [2, 2] }]);
    const asAnswered = await make({ ...only(ids), corrections: 'ignore', dedupe: false });
    expect([asAnswered.counts.used, asAnswered.skipped]).toEqual([4, []]);
  });

  it('makes tools of functions, and their calls, in the older notation', async () => {
    const definition = { name: 'add', parameters: { type: 'object' } };
    const call = { name: 'add', arguments: '{"a":2}' };
    const [id] = await calls.add({
      inputs: { messages: [{ role: 'user', content: '2+2' }], functions: [definition] },
      output: { choices: [{ message: { role: 'assistant', content: null, function_call: call } }] },
    });
    const data = await make(only([id as string]));
    const [line] = await linesOf(data.splits?.['train']);
    expect(JSON.parse(line as string)).toEqual({
      messages: [
        { role: 'user', content: '2+2' },
        { role: 'assistant', content: null, tool_calls: [{ id: 'call00001', type: 'function', function: call }] },
      ],
      tools: [{ type: 'function', function: definition }],
    });
  });

  it('accepts good answers alone, and corrections', async () => {
    const ids = await calls.add(
      { prompt: 'a', thumb: 1 },
      { prompt: 'b', thumb: 0 },
      { prompt: 'c' },
      { prompt: 'd', thumb: 0, correction: 'D' },
    );
    const data = await make({ ...only(ids), accept: { min_reward: 1 } });
    expect(data.preview.map(({ call_ids }) => call_ids)).toEqual([[ids[0]], [ids[3]]]);
    expect(reasonsOf(data)).toEqual({ no_reward: [1, 1], below_min_reward: [1, 1] });
    const preset = await make({ ...only(ids), accept: { min_reward: 1 }, default_reward: 1 });
    expect(preset.counts.used).toBe(3);
  });

  it('makes groups of trajectories, and says what a job would make of them', async () => {
    const ids = await calls.add(
      sampled([12], { prompt: 'a', thumb: 1 }),
      sampled([13, 14], { prompt: 'b', thumb: 1 }),
      sampled([15], { prompt: 'a', thumb: 0 }),
      sampled([16], { prompt: 'b', thumb: 0 }),
    );
    const data = await make({ ...only(ids), kind: 'rl' });
    expect(data).toMatchObject({
      counts: { calls: 4, used: 4, groups: 2, trajectories: 4, tokens: 5 },
      skipped: [],
      policy: { model_id: modelId, latest_step: 0, oldest_step: 0, max_staleness: 0 },
      diagnosis: { ok: true, groups_submitted: 2, groups_trainable: 2, trainable_tokens: 5 },
    });
    const [first, ...others] = (await linesOf(data.splits?.['train'])).map((text) => JSON.parse(text));
    expect(others).toHaveLength(1);
    const trajectory = (answer: number[], reward: number, id: string | undefined) => ({
      messages_and_choices: [
        { role: 'user', content: 'a' },
        {
          message: { role: 'assistant', content: answer.join(' ') },
          finish_reason: 'stop',
          prompt_token_ids: [10, 11],
          token_ids: answer,
          logprobs: { content: answer.map(() => ({ logprob: -0.5 })) },
        },
      ],
      reward,
      initial_policy_version: 0,
      final_policy_version: 0,
      metadata: { call_id: id },
    });
    expect(first).toEqual({ trajectories: [trajectory([12], 1, ids[0]), trajectory([15], 0, ids[2])] });
    const job = await app.caller.post('/v1/preview/training-jobs', { model_id: modelId, training_data_url: data.url });
    expect([job.status, job.json().kind]).toEqual([200, 'rl']);
    await app.caller.post(`/v1/preview/training-jobs/${job.json().id}/cancel`);
  });

  it('counts what it leaves out by its reason', async () => {
    const other = await createModel(app.caller);
    const unknown = '01900000-0000-7000-8000-000000000000';
    const good = (more: ACall = {}) => sampled([12], { prompt: 'r', thumb: 1, ...more });
    const message = { role: 'assistant', content: 'x' };
    const two = [0, 1].map((index) => ({ index, message, finish_reason: 'stop' }));
    const ids = await calls.add(
      good(),
      good({ thumb: 0 }),
      good({ exception: 'upstream.timeout' }),
      good({ isRunning: true }),
      good({ attributes: { content_logged: false }, inputs: {}, output: null }),
      good({ inputs: { input: 'an embedding' } }),
      good({ output: { choices: two } }),
      good({ thumb: null }),
      good({ tokens: null }),
      good({ tokens: { prompt: [1], answer: [2], logprobs: [-1, -1] } }),
      good({ tokens: { prompt: [1], answer: [2], logprobs: [0.5] } }),
      good({ modelId: other }),
      good({ modelId: unknown }),
      good({ modelId: undefined }),
      good({ prompt: 'alone' }),
      good({ inputs: { messages: [{ role: 'user', content: 'x'.repeat(4_200_000) }] } }),
    );
    const data = await make({ ...only(ids), kind: 'rl' });
    expect(data.counts).toMatchObject({ calls: ids.length, used: 2, groups: 1 });
    expect(reasonsOf(data)).toEqual({
      failed: [1, 1],
      unfinished: [1, 1],
      no_content: [1, 1],
      too_large: [1, 1],
      no_conversation: [1, 1],
      several_choices: [1, 1],
      no_reward: [1, 1],
      no_tokens: [3, 3],
      unknown_model: [1, 1],
      other_model: [2, 2],
      small_group: [1, 1],
    });
  });

  it('refuses only when nothing is left, and says why', async () => {
    const ids = await calls.add(sampled([12]), sampled([13], { thumb: 1 }));
    for (const [body, sentence] of [
      [
        only(ids),
        'No call is left to learn from: 1 no_reward, 1 small_group. Of no_reward: send feedback, or set default_reward; ' +
          'small_group: ask the same prompt several times, set group_by to none to compare answers to different ' +
          'prompts, or kind to thumbs',
      ],
      [only(['none']), 'No call is left to learn from: the query selects none'],
    ] as const) {
      const response = await post({ ...body, kind: 'rl' });
      expect([response.status, response.json().detail]).toEqual([
        422,
        [{ loc: ['body', 'source'], msg: sentence, type: 'value_error' }],
      ]);
    }
    const dry = await make({ ...only(ids), kind: 'rl', dry_run: true });
    expect(dry).toMatchObject({
      url: null,
      splits: null,
      counts: { calls: 2, used: 0 },
      policy: null,
      diagnosis: null,
    });
  });

  it('takes the way out of small groups that it names', async () => {
    const ids = await calls.add(sampled([12], { prompt: 'x', thumb: 1 }), sampled([13], { prompt: 'y', thumb: 0 }));
    expect((await post({ ...only(ids), kind: 'rl' })).json().detail[0].msg).toContain('set group_by to none');
    const data = await make({ ...only(ids), kind: 'rl', group_by: 'none' });
    expect([data.counts.used, data.counts.groups]).toEqual([2, 1]);
  });

  it('counts a group of equal rewards as untrainable', async () => {
    const ids = await calls.add(
      sampled([12], { prompt: 'equal', thumb: 1 }),
      sampled([13], { prompt: 'equal', thumb: 1 }),
      sampled([14], { prompt: 'mixed', thumb: 1 }),
      sampled([15], { prompt: 'mixed', thumb: 0 }),
      sampled([16], { prompt: 'mixed', thumb: 0 }),
    );
    const data = await make({ ...only(ids), kind: 'rl', dry_run: true });
    expect(data.counts).toEqual({ calls: 5, used: 3, lines: 2, untrainable: 2, groups: 2, trajectories: 5, tokens: 5 });
    expect(data.diagnosis?.groups_trainable).toBe(1);
  });

  it('bounds the age of samples', async () => {
    const model = await createModel(app.caller);
    await addCheckpoints(app, model, [5, 12]);
    const ids = await calls.add(
      ...[4, 4, 3, 12].map((step, at) => sampled([12 + at], { modelId: model, step, thumb: (at % 2) as 0 | 1 })),
    );
    const data = await make({ ...only(ids), kind: 'rl' });
    expect([data.policy, reasonsOf(data)]).toEqual([
      { model_id: model, latest_step: 12, oldest_step: 4, max_staleness: 8 },
      { stale_policy: [1, 1] },
    ]);
    const fresh = await make({ ...only(ids), kind: 'rl', max_policy_staleness: 0, min_group_size: 1 });
    expect([fresh.counts.used, fresh.counts.untrainable]).toEqual([0, 1]);
    expect(reasonsOf(fresh)).toEqual({ stale_policy: [3, 3] });
  });

  it('groups by prompt, thread, attribute, or compares all', async () => {
    const call = (threadId: string | null, task: string, prompt: string): ACall => ({
      ...sampled([12], { prompt, threadId, thumb: 1 }),
      attributes: {
        ...{ model_id: modelId, step: 0, metadata: { task } },
        hone: { tokens: { prompt_token_ids: [1], choices: [{ token_ids: [2], logprobs: [-1] }] } },
      },
    });
    const ids = await calls.add(call('s', 'x', 'a'), call('s', 'y', 'b'), call('t', 'y', 'a'), call(null, 'y', 'a'));
    const groups = async (group_by: string) => {
      const data = await make({ ...only(ids), kind: 'rl', group_by, min_group_size: 1 });
      return [...data.preview.map(({ call_ids }) => call_ids.map((id) => ids.indexOf(id))), reasonsOf(data)];
    };
    expect(await groups('prompt')).toEqual([[0, 2, 3], [1], {}]);
    expect(await groups('thread')).toEqual([[0, 1], [2], { no_group: [1, 1] }]);
    expect(await groups('attribute:metadata.task')).toEqual([[0], [1, 2, 3], {}]);
    const nowhere = await make({ ...only(ids), kind: 'rl', group_by: 'attribute:metadata.none', dry_run: true });
    expect(reasonsOf(nowhere)).toEqual({ no_group: [4, 4] });
    expect(await groups('none')).toEqual([[0, 1, 2, 3], {}]);
  });

  it('is the same for the same calls and body, whichever process makes it, and splits prompts disjointly', async () => {
    const ids = await calls.add(
      ...Array.from({ length: 200 }, (_, at) =>
        sampled([12 + (at % 5)], { prompt: `p${at % 40}`, thumb: (at & 1) as 0 | 1 }),
      ),
    );
    const body = { ...only(ids), kind: 'rl', split: { val: 0.3, train: 0.7 }, seed: 7, min_group_size: 1 };
    const [first, again] = [await make(body), await make({ ...body, split: { train: 0.7, val: 0.3 } })];
    expect(again.digest).toBe(first.digest);
    expect((await make({ ...body, dry_run: true })).digest).toBe(first.digest);
    expect((await make({ ...body, seed: 8 })).digest).not.toBe(first.digest);
    const prompts: string[][] = [];
    for (const url of Object.values(first.splits ?? {})) {
      const lines = (await linesOf(url)).map((text) => JSON.parse(text));
      prompts.push(lines.map(({ trajectories: [one] }) => one.messages_and_choices[0].content));
    }
    expect(Object.keys(first.splits ?? {})).toEqual(['train', 'val']);
    const [train = [], val = []] = prompts;
    expect(train.filter((prompt) => val.includes(prompt))).toEqual([]);
    expect(new Set([...train, ...val]).size).toBe(40);
    expect(val.length).toBeGreaterThan(3);
    expect(train.length).toBeGreaterThan(val.length);
  });

  it('leaves deleted calls out of what is made later', async () => {
    const ids = await calls.add({ prompt: 'keep' }, { prompt: 'delete' });
    expect((await make(only(ids))).counts.used).toBe(2);
    await calls.delete(ids[1] as string);
    const data = await make(only(ids));
    expect([data.counts, data.preview.map(({ call_ids }) => call_ids)]).toEqual([
      { calls: 1, used: 1, lines: 1, untrainable: 0, groups: 0, trajectories: 0, tokens: 0 },
      [[ids[0]]],
    ]);
  });

  it('selects by an expression, the oldest first', async () => {
    const ids = await calls.add({ prompt: 'first!' }, { prompt: 'second!' }, { prompt: 'third' });
    const query = {
      $expr: { $contains: { input: { $getField: 'inputs.messages.0.content' }, substr: { $literal: '!' } } },
    };
    const source = { filter: { call_ids: ids }, query, limit: 1 };
    expect((await make({ source })).preview.map(({ call_ids }) => call_ids)).toEqual([[ids[0]]]);
    const wrong = await post({ source: { query: { $expr: { $getField: 'nothing' } } } });
    expect([wrong.status, wrong.json().detail[0].loc]).toEqual([
      422,
      ['body', 'source', 'query', '$expr', '$getField'],
    ]);
  });

  it('makes one version of one Idempotency-Key', async () => {
    const ids = await calls.add({ prompt: 'once' });
    const body = { entity: 'acme', project: 'p', name: 'once', kind: 'sft', ...only(ids) };
    const headers = { 'idempotency-key': 'k1' };
    const [first, again] = [
      await app.caller.post(PATH, body, { headers }),
      await app.caller.post(PATH, body, { headers }),
    ];
    expect(again.json()).toEqual(first.json());
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect((await post({ ...body, name: 'once' })).json().url).toBe('hone-artifact:///acme/p/once:v1');
  });
});

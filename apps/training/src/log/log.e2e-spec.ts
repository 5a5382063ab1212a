import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';

import { newId } from '@hone/database';
import type { TestClient } from '@hone/testing';

import { addCheckpoints, createModel, MODELS } from '../models/model.fixture.js';
import { startTrainingApp, type TrainingApp } from '../training-app.fixture.js';

interface BatchRow {
  uri: string;
  sha256: string;
  step: number;
  split: string;
  groups: number;
  trajectories: number;
}

describe('POST /v1/preview/models/{model_id}/log', () => {
  let training: TrainingApp;
  let caller: TestClient;
  beforeAll(async () => {
    training = await startTrainingApp();
    caller = training.caller;
  });
  afterAll(() => training.close());

  const log = (modelId: string, body: unknown) => caller.post(`${MODELS}/${modelId}/log`, body);
  const groupsOf = (...rewards: number[][]) =>
    rewards.map((group) => ({ trajectories: group.map((reward) => ({ reward })) }));
  const metricsOf = async (modelId: string) =>
    (await caller.get(`${MODELS}/${modelId}/checkpoints?limit=1&order=desc`)).json().data[0].metrics;
  const baseMetricsOf = async (modelId: string) => (await caller.get(`${MODELS}/${modelId}`)).json().base_metrics;
  const batches = (modelId: string) =>
    training.sql<BatchRow>('SELECT * FROM log_batches WHERE model_id = $1 ORDER BY id', [modelId]);
  const storedBytes = async ({ uri, sha256 }: BatchRow) => gunzipSync(await training.store.read(uri, sha256));
  async function aTrainedModel(): Promise<string> {
    const id = await createModel(caller);
    await addCheckpoints(training, id, [1], { metrics: { 'loss/train': 2 } });
    return id;
  }

  it('counts what it took, and merges the means into the latest checkpoint', async () => {
    const model = await aTrainedModel();
    const trajectories = [
      { reward: 1, metrics: { ok: true } },
      { reward: 0, metrics: { ok: false } },
    ];
    const { status, json } = await log(model, { split: 'val', trajectory_groups: [{ trajectories }] });
    expect([status, json()]).toEqual([200, { logged: { trajectory_groups: 1, trajectories: 2 } }]);
    expect(await metricsOf(model)).toEqual({
      'loss/train': 2,
      'val/reward': 0.5,
      'val/reward_std_dev': 0.5,
      'val/ok': 0.5,
    });
    expect(await batches(model)).toMatchObject([{ step: 1, split: 'val', groups: 1, trajectories: 2 }]);
  });

  it('keeps the sent bytes as they are', async () => {
    const model = await createModel(caller);
    const body = `{ "split":"a","split":"val","trajectory_groups":[{"trajectories":[{"reward":1.0,
      "metadata":{"n":9223372036854775808,"t":"\\u0000\\ud800","d":1,"d":2,"__proto__":{"x":1}}}]}],"more":1e5} `;
    expect((await log(model, body)).status).toBe(200);
    const [batch] = (await batches(model)) as [BatchRow];
    expect((await storedBytes(batch)).toString()).toBe(body);
    expect(batch.split).toBe('val');
  });

  it('makes the same means of calls in any order', async () => {
    const calls = [
      groupsOf([0.1, 0.7], [0.3]),
      groupsOf([1e16, 1, -1e16]),
      [{ trajectories: [{ reward: 0.2, metrics: { words: 0.1 } }], metrics: { size: 3 }, exceptions: ['x'] }],
    ];
    const means: unknown[] = [];
    for (const order of [calls, calls.toReversed()]) {
      const model = await aTrainedModel();
      for (const trajectory_groups of order) await log(model, { split: 'train', trajectory_groups });
      means.push(await metricsOf(model));
    }
    expect(means[1]).toEqual(means[0]);
    expect(means[0]).toMatchObject({ 'train/words': 0.1, 'train/group_size': 3, 'train/exception_rate': 1 / 8 });
  });

  it('makes the same means of calls at once', async () => {
    const model = await aTrainedModel();
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => log(model, { split: 'val', trajectory_groups: groupsOf([n, n + 1]) })),
    );
    expect(await metricsOf(model)).toMatchObject({ 'val/reward': 10, 'val/reward_std_dev': 0.5 });
  });

  it('keeps splits apart', async () => {
    const model = await aTrainedModel();
    await log(model, { split: 'train', trajectory_groups: groupsOf([1]) });
    await log(model, { split: 'val', trajectory_groups: groupsOf([0, 0.5]) });
    expect(await metricsOf(model)).toEqual({
      'loss/train': 2,
      'train/reward': 1,
      'train/reward_std_dev': 0,
      'val/reward': 0.25,
      'val/reward_std_dev': 0.25,
    });
  });

  it('takes a log before the first checkpoint; its means are the base’s', async () => {
    const model = await createModel(caller);
    expect((await log(model, { split: 'val', trajectory_groups: groupsOf([1, 0]) })).status).toBe(200);
    expect((await caller.get(`${MODELS}/${model}/checkpoints`)).json().data).toEqual([]);
    expect(await baseMetricsOf(model)).toEqual({ 'val/reward': 0.5, 'val/reward_std_dev': 0.5 });
    await addCheckpoints(training, model, [1]);
    await log(model, { split: 'val', trajectory_groups: groupsOf([1]) });
    expect(await metricsOf(model)).toEqual({ 'val/reward': 1, 'val/reward_std_dev': 0 });
    expect(await baseMetricsOf(model)).toEqual({ 'val/reward': 0.5, 'val/reward_std_dev': 0.5 });
  });

  it('goes on with the latest that is left when the latest is deleted', async () => {
    const model = await createModel(caller);
    await addCheckpoints(training, model, [1, 2]);
    await caller.delete(`${MODELS}/${model}/checkpoints`, { steps: [2] });
    await log(model, { split: 'val', trajectory_groups: groupsOf([1]) });
    expect(await metricsOf(model)).toMatchObject({ 'val/reward': 1 });
    expect(await batches(model)).toMatchObject([{ step: 1 }]);
  });

  it('takes empty groups, no groups and fields that it does not know', async () => {
    const model = await aTrainedModel();
    const none = await log(model, { split: 'train', trajectory_groups: [] });
    expect(none.json()).toEqual({ logged: { trajectory_groups: 0, trajectories: 0 } });
    const empty = await log(model, {
      split: 'train',
      trajectory_groups: [{}, { trajectories: [], metadata: { a: 1 }, logs: ['x'], exceptions: [] }],
      more: true,
    });
    expect(empty.json()).toEqual({ logged: { trajectory_groups: 2, trajectories: 0 } });
    expect(await metricsOf(model)).toEqual({ 'loss/train': 2, 'train/exception_rate': 0 });
  });

  it('counts exceptions against all trajectories of the split', async () => {
    const model = await aTrainedModel();
    await log(model, { split: 'val', trajectory_groups: groupsOf([1, 1]) });
    expect(await metricsOf(model)).not.toHaveProperty(['val/exception_rate']);
    const exceptions = [{ type: 'E' }, { type: 'E' }];
    await log(model, { split: 'val', trajectory_groups: [{ trajectories: [{ reward: 1 }], exceptions }] });
    expect(await metricsOf(model)).toMatchObject({ 'val/exception_rate': 0.4 });
  });

  it('stores metrics with names of ours, and does not average them', async () => {
    const model = await aTrainedModel();
    const metrics = { reward: 7, reward_std_dev: 7, exception_rate: 7, __proto__x: 1 };
    await log(model, { split: 'val', trajectory_groups: [{ trajectories: [{ reward: 1, metrics }], metrics }] });
    expect(await metricsOf(model)).toEqual({
      'loss/train': 2,
      'val/reward': 1,
      'val/reward_std_dev': 0,
      'val/__proto__x': 1,
      'val/group___proto__x': 1,
    });
    expect(await training.sql('SELECT metrics FROM trajectories WHERE model_id = $1', [model])).toEqual([{ metrics }]);
  });

  it('takes rewards of any size', async () => {
    const model = await aTrainedModel();
    const most = Number.MAX_VALUE;
    await log(model, { split: 'val', trajectory_groups: groupsOf([most, most], [Number.MIN_VALUE]) });
    expect(await metricsOf(model)).toMatchObject({ 'val/reward': (most / 3) * 2, 'val/reward_std_dev': 0 });
    await log(model, { split: 'test', trajectory_groups: groupsOf([Number.MIN_VALUE, 0, 0]) });
    expect(await metricsOf(model)).toMatchObject({ 'test/reward': 0 });
  });

  it('keeps a row of each trajectory', async () => {
    const model = await aTrainedModel();
    const trajectory = {
      reward: -1.5,
      initial_policy_version: 3,
      final_policy_version: null,
      metrics: { good: true, words: 4 },
      start_time: '0001-01-01T14:00:00+14:00',
    };
    await log(model, { split: 'val', trajectory_groups: [{}, { trajectories: [{}, trajectory] }] });
    const rows = await training.sql<{ start_time: Date }>(
      `SELECT group_index, index, step, split, reward, initial_policy_version, final_policy_version, metrics,
         start_time IS NOT NULL AS is_timed FROM trajectories WHERE model_id = $1 ORDER BY index`,
      [model],
    );
    const common = { group_index: 1, step: 1, split: 'val', final_policy_version: null, is_timed: true };
    expect(rows).toEqual([
      { ...common, index: 0, reward: 0, initial_policy_version: null, metrics: {} },
      { ...common, index: 1, reward: -1.5, initial_policy_version: 3, metrics: { good: 1, words: 4 } },
    ]);
  });

  const trajectoryOf = (trajectory: string) => `{"split":"s","trajectory_groups":[{"trajectories":[${trajectory}]}]}`;
  const AT = ['body', 'trajectory_groups', 0, 'trajectories', 0];

  it.each([
    ['{"trajectory_groups":[]}', [['body', 'split'], 'missing']],
    ['{"split":"","trajectory_groups":[]}', [['body', 'split'], 'string_too_short']],
    ['{"split":"a\\nb","trajectory_groups":[]}', [['body', 'split'], 'value_error']],
    ['{"split":"a\\u0000","trajectory_groups":[]}', [['body', 'split'], 'string_unicode']],
    ['{"split":"s"}', [['body', 'trajectory_groups'], 'missing']],
    ['{"split":"s","trajectory_groups":{}}', [['body', 'trajectory_groups'], 'list_type']],
    [trajectoryOf('{"reward":"1"}'), [[...AT, 'reward'], 'float_type']],
    [trajectoryOf('{"reward":true}'), [[...AT, 'reward'], 'float_type']],
    [trajectoryOf('{"reward":1e999}'), [[...AT, 'reward'], 'finite_number']],
    [trajectoryOf('{"reward":null}'), [[...AT, 'reward'], 'float_type']],
    [
      trajectoryOf('{"messages_and_choices":[{"content":"x"}]}'),
      [[...AT, 'messages_and_choices', 0, 'role'], 'missing'],
    ],
    [
      trajectoryOf(`{"metrics":{"${'x'.repeat(300)}":1}}`),
      [[...AT, 'metrics', `${'x'.repeat(200)}…`], 'string_too_long'],
    ],
    ['', [['body'], 'missing']],
    ['[]', [['body'], 'dict_type']],
    ['{"split":', [['body', 9], 'json_invalid']],
    ['{"split":"s","a":'.padEnd(20_000, '['), [['body'], 'json_too_deep']],
  ])('points at what is wrong (%#)', async (body, [loc, type]) => {
    const model = await createModel(caller);
    const { status, json } = await log(model, body);
    expect([status, json().detail]).toEqual([422, [{ loc, msg: expect.any(String), type }]]);
    expect(await batches(model)).toEqual([]);
  });

  it('lists at most 100 of 5,000 wrong fields', async () => {
    const trajectories = Array.from({ length: 5_000 }, () => ({ reward: 'x' }));
    const { status, json } = await log(newId(), { split: 's', trajectory_groups: [{ trajectories }] });
    expect([status, json().detail.length]).toEqual([422, 100]);
  });

  it('bounds how many metrics there are', async () => {
    const metrics = Object.fromEntries(Array.from({ length: 1_025 }, (_, n) => [`m${n}`, n]));
    const { json } = await log(newId(), { split: 's', trajectory_groups: [{ metrics }] });
    expect(json().detail).toMatchObject([{ loc: ['body', 'trajectory_groups'], type: 'too_many' }]);
  });

  it('reads what a gzip body says', async () => {
    const model = await aTrainedModel();
    const body = JSON.stringify({ split: 'val', trajectory_groups: groupsOf([1]) });
    const headers = { 'content-encoding': 'gzip' };
    const send = (payload: Buffer, encoding = headers) =>
      caller.post(`${MODELS}/${model}/log`, payload, { headers: encoding });
    expect((await send(gzipSync(body))).status).toBe(200);
    expect((await storedBytes(((await batches(model)) as [BatchRow])[0])).toString()).toBe(body);
    const cut = await send(gzipSync(body).subarray(0, 30));
    expect([cut.status, cut.json().detail[0].type]).toEqual([422, 'json_invalid']);
    const brotli = await send(Buffer.from(body), { 'content-encoding': 'br' });
    expect([brotli.status, brotli.json().code]).toEqual([415, 'request.encoding_unsupported']);
  });

  it('counts a call once that is repeated with its key', async () => {
    const model = await aTrainedModel();
    const send = (rewards: number[]) =>
      caller.post(
        `${MODELS}/${model}/log`,
        { split: 'val', trajectory_groups: groupsOf(rewards) },
        { headers: { 'idempotency-key': 'k' } },
      );
    const answers = await Promise.all(Array.from({ length: 20 }, () => send([1, 0])));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(19);
    expect(await batches(model)).toHaveLength(1);
    const other = await send([1]);
    expect([other.status, other.json().code, other.headers['x-should-retry']]).toEqual([
      409,
      'idempotency.key_reused',
      'false',
    ]);
  });

  it('knows no model that is not there', async () => {
    const id = newId();
    const { status, json } = await log(id, { split: 's', trajectory_groups: [] });
    expect([status, json().code]).toEqual([404, 'model.not_found']);
  });

  it('stores a hash of what it stores', async () => {
    const model = await createModel(caller);
    await log(model, { split: 's', trajectory_groups: groupsOf([1]) });
    const [{ uri, sha256 }] = (await batches(model)) as [BatchRow];
    const bytes = await training.store.read(uri, sha256);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
  });
});

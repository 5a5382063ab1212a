import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { newId } from '@hone/database';
import type { TrainingJobRecord } from '@hone/training-jobs';

import { LONG_MS, TrainerBench } from './testing/trainer-bench.fixture.js';
import { ONE_BY_ONE, someGroups, someLines } from './testing/training-input.fixture.js';

type Choice = { logprobs?: { content: { logprob: number }[] }; token_ids?: number[] };
type Trajectory = { reward: number; messages_and_choices: [object, Choice] };

const FIRST_TOKEN = ['messages_and_choices', 1, 'token_ids', 0];

/** Rollouts that are changed in one place. */
function changed(change: (trajectory: Trajectory) => void): object[] {
  const groups = someGroups(2) as { trajectories: Trajectory[] }[];
  for (const { trajectories } of groups) trajectories.forEach(change);
  return groups;
}

const tooLong = () => ({
  messages: [
    { role: 'user', content: '?' },
    { role: 'assistant', content: 'ab '.repeat(1e5) },
  ],
});

describe('a job that cannot succeed', () => {
  let bench: TrainerBench;
  beforeAll(async () => {
    bench = await TrainerBench.start();
    await bench.trainer({ HONE_TRAINING_DATA_HOSTS: 'data.example,127.0.0.1' });
  }, LONG_MS);
  afterAll(() => bench.close());

  const CASES: [string, string, (model: string) => ReturnType<TrainerBench['rlJob']>, object][] = [
    [
      'has no log-probabilities',
      'data.no_trainable_tokens',
      (model) =>
        bench.rlJob(
          model,
          changed(({ messages_and_choices: [, choice] }) => delete choice.logprobs),
        ),
      { hint: expect.any(String) },
    ],
    [
      'has a token that no model knows',
      'data.token_out_of_vocab',
      (model) =>
        bench.rlJob(
          model,
          changed(({ messages_and_choices: [, choice] }) => (choice.token_ids![0] = 1e6)),
        ),
      { loc: expect.arrayContaining([['trajectory_groups', 1, 'trajectories', 0, ...FIRST_TOKEN]]) },
    ],
    [
      'has fewer log-probabilities than tokens',
      'data.logprob_length_mismatch',
      (model) =>
        bench.rlJob(
          model,
          changed(({ messages_and_choices: [, choice] }) => choice.logprobs!.content.pop()),
        ),
      { loc: expect.arrayContaining([['trajectory_groups', 0, 'trajectories', 1, 'messages_and_choices', 1]]) },
    ],
    [
      'has a probability above 1',
      'data.logprob_invalid',
      (model) =>
        bench.rlJob(
          model,
          changed(({ messages_and_choices: [, choice] }) => (choice.logprobs!.content[2]!.logprob = 0.5)),
        ),
      { message: expect.any(String) },
    ],
    [
      'measures from a step that is not there',
      'config.reference_step_not_found',
      (model) => bench.rlJob(model, someGroups(1), { kl_penalty_coef: 0.1, kl_penalty_reference_step: 7 }),
      { message: expect.stringContaining('step 7') },
    ],
    [
      'has a bad line',
      'data.bad_line',
      (model) => bench.sftJob(model, [...someLines(6), '{"messages":[]}']),
      { message: expect.stringContaining('line 7'), loc: [['line', 7]] },
    ],
    [
      'has no line that fits the context',
      'data.no_trainable_tokens',
      (model) => bench.sftJob(model, [tooLong(), tooLong()]),
      {
        message: expect.stringContaining('2 have more than 1024 tokens'),
        loc: [
          ['line', 1],
          ['line', 2],
        ],
      },
    ],
    ['has no line', 'data.empty', (model) => bench.sftJob(model, [' ', '']), {}],
    [
      'has too few learning rates',
      'config.learning_rate_list_length',
      (model) => bench.sftJob(model, someLines(4), { learning_rate: [1e-3] }),
      {},
    ],
    [
      'is to be fetched from here',
      'data.url_forbidden',
      (model) => bench.job(model, 'sft', {}, null, { trainingDataUrl: 'http://127.0.0.1/train.jsonl' }),
      { message: expect.stringContaining('not a public address') },
    ],
    ['names an artifact that is gone', 'data.artifact_gone', jobOfDeletedArtifact, {}],
  ];

  /** A version that is there when the job is created, and deleted before a worker sees the job. */
  async function jobOfDeletedArtifact(model: string): Promise<TrainingJobRecord> {
    const [id, artifactId] = [newId(), newId()];
    const { client } = bench.test.db;
    await client.artifact.create({ data: { projectId: bench.projectId, id: artifactId, name: id } });
    const version = { projectId: bench.projectId, id, artifactId, version: 0, digest: 'x', createdBy: newId() };
    await client.artifactVersion.create({ data: { ...version, uri: 'local:none', bytes: 1, files: [] } });
    return bench.database.transaction(async () => {
      const job = await bench.job(model, 'sft', {}, null, { trainingDataUrl: 'x', dataVersionId: id });
      await bench.database.client.artifactVersion.updateMany({ where: { id }, data: { deletedAt: new Date() } });
      return job;
    });
  }

  it.each(CASES)(
    'because it %s says so: %s',
    async (_what, code, create, more) => {
      const model = await bench.model();
      const { id } = await create(model);
      const job = await bench.ended(id);
      expect(job).toMatchObject({ status: 'failed', attempt: 1, error: { code, retryable: false, ...more } });
      expect(await bench.events(id)).toEqual([
        { type: 'training_failed', data: { code, error_message: job.error?.message } },
      ]);
      expect(JSON.stringify(job.error)).not.toContain(bench.dataDir);
    },
    LONG_MS,
  );

  it(
    'because its base is unknown says so',
    async () => {
      const { id } = await bench.rlJob(await bench.model('no-such-base'), someGroups(1));
      expect(await bench.ended(id)).toMatchObject({
        status: 'failed',
        error: { code: 'engine.base_model_unsupported' },
      });
    },
    LONG_MS,
  );

  it(
    'because its loss is no number any more leaves its parent the latest',
    async () => {
      const model = await bench.model();
      await bench.ended((await bench.sftJob(model, someLines(2))).id);
      const { id } = await bench.sftJob(model, someLines(6), { learning_rate: 1e38 });
      const error = { code: 'engine.nonfinite_loss', retryable: false };
      expect(await bench.ended(id)).toMatchObject({ status: 'failed', attempt: 1, producedId: null, error });
      const types = (await bench.events(id)).map(({ type }) => type);
      expect([types[0], types.at(-1), types.includes('training_ended')]).toEqual([
        'training_started',
        'training_failed',
        false,
      ]);
      const next = await bench.ended((await bench.sftJob(model, someLines(2))).id);
      expect(next).toMatchObject({ status: 'succeeded', parentStep: 1, producedStep: 2 });
    },
    LONG_MS,
  );

  it(
    'because its only update overflows leaves its parent the latest',
    async () => {
      const model = await bench.model();
      await bench.ended((await bench.sftJob(model, someLines(2))).id);
      for (const rate of [1e30, 1e38]) {
        const { id } = await bench.sftJob(model, someLines(2), { learning_rate: rate });
        const error = { code: 'engine.nonfinite_loss', retryable: false };
        expect(await bench.ended(id)).toMatchObject({ status: 'failed', attempt: 1, producedId: null, error });
      }
      expect(await bench.test.sql('SELECT step FROM checkpoints WHERE model_id = $1', [model])).toEqual([{ step: 1 }]);
    },
    LONG_MS,
  );

  it(
    'because a byte of its parent is another one trains nothing',
    async () => {
      const model = await bench.model();
      const first = await bench.rlJob(model, someGroups(1), ONE_BY_ONE);
      await bench.ended(first.id);
      const { uri } = await bench.checkpoint(model, 1);
      const file = join(await bench.store.localPath(uri), 'adapter_model.safetensors');
      const bytes = await readFile(file);
      bytes[bytes.length - 1]! ^= 1;
      await writeFile(file, bytes);
      for (const groups of [someGroups(1), []]) {
        const { id } = await bench.rlJob(model, groups, ONE_BY_ONE);
        const job = await bench.ended(id);
        expect(job).toMatchObject({ status: 'failed', error: { code: 'storage.corrupt', retryable: false } });
        expect(job.error?.message).not.toContain(bench.dataDir);
      }
      expect(await bench.test.sql('SELECT 1 FROM checkpoints WHERE model_id = $1', [model])).toHaveLength(1);
    },
    LONG_MS,
  );

  it(
    'at first, for the store, succeeds when there is a store again',
    async () => {
      const model = await bench.model();
      // A file where a folder should be: nothing can be written below it.
      const obstacle = await bench.store.put(`models/${model}`, Buffer.from('x'));
      const { id } = await bench.rlJob(model, someGroups(1), ONE_BY_ONE);
      await bench.until(id, ({ failures }) => failures === 1);
      expect(await bench.test.sql('SELECT 1 FROM checkpoints WHERE model_id = $1', [model])).toEqual([]);
      await rm(await bench.store.localPath(obstacle.uri));
      expect(await bench.ended(id)).toMatchObject({ status: 'succeeded', error: null });
    },
    LONG_MS,
  );
});

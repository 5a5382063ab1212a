import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { until } from '@hone/testing';
import { findBrokenInvariants } from '@hone/training-jobs';

import { type Stack, startStack } from '../art-client/stack.fixture.js';
import { anAdapter, archiveOf, filesOf } from './adapter-archive.fixture.js';

const LIMIT_MS = 240_000;
const MODELS = '/v1/preview/models';
const TWO_DAYS_AGO = new Date(Date.now() - 2 * 86_400_000);
const BODY = archiveOf(filesOf(anAdapter({ rank: 3, alpha: 12, size: 0.4 })));

interface Answer {
  text: string;
  logprobs: number[];
  step: string | null;
}

let stack: Stack;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'hone-imports-'));
  stack = await startStack({ HONE_DATA_DIR: dataDir });
  await stack.start('trainer', { HONE_TRAINER_COLLECT_S: '1' });
}, LIMIT_MS);
afterAll(async () => {
  await stack.close();
  await rm(dataDir, { recursive: true, force: true });
}, LIMIT_MS);

const bytes = async (path: string, body?: Buffer): Promise<Response> =>
  fetch(`${stack.training.url}${path}`, {
    headers: { authorization: `Bearer ${stack.key}`, ...(body && { 'content-type': 'application/gzip' }) },
    ...(body && { method: 'POST', body: new Uint8Array(body) }),
  });

async function ask<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T> {
  const { status, json } = await stack.ask(method, path, body);
  if (status !== 200) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(json)}`);
  return json as T;
}

const newModel = async (name: string): Promise<string> =>
  (await ask<{ id: string }>('POST', MODELS, { project: 'imports', name, base_model: 'hone-tiny' })).id;

async function importInto(model: string, body = BODY): Promise<{ id: string; step: number }> {
  const response = await bytes(`${MODELS}/${model}/checkpoints/import`, body);
  expect(response.status).toBe(200);
  return (await response.json()) as { id: string; step: number };
}

interface Job {
  status: string;
  error: unknown;
  parent_checkpoint: { step: number } | null;
  produced_checkpoint: { step: number } | null;
}

/** Steps that a job started from, and made. */
async function trained(path: string, body: object): Promise<[parent: number, produced: number]> {
  const { id } = await ask<{ id: string }>('POST', path, body);
  const find = () => ask<Job>('GET', `/v1/preview/training-jobs/${id}`);
  await until(async () => ['succeeded', 'failed'].includes((await find()).status), 'the end of the job', LIMIT_MS);
  const job = await find();
  expect(job).toMatchObject({ status: 'succeeded', error: null });
  return [job.parent_checkpoint?.step ?? 0, job.produced_checkpoint?.step ?? 0];
}

describe('an imported adapter, in the whole stack', () => {
  it(
    'is served at once, is trained on in its own form, and measures a later policy',
    async () => {
      const gateway = await stack.start('inference-gateway');
      const chat = async (model: string): Promise<Answer> => {
        const response = await fetch(`${gateway.url}/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${stack.key}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            ...{ model, messages: [{ role: 'user', content: 'repeat: cat' }] },
            ...{ temperature: 0, max_tokens: 12, logprobs: true },
          }),
        });
        expect(response.status).toBe(200);
        const { choices } = (await response.json()) as {
          choices: [{ message: { content: string }; logprobs: { content: { logprob: number }[] } }];
        };
        return {
          text: choices[0].message.content,
          logprobs: choices[0].logprobs.content.map(({ logprob }) => logprob),
          step: response.headers.get('hone-policy-version'),
        };
      };
      const model = await newModel('foreign');
      const ref = 'hone-artifact:///local/imports/foreign';
      const ofBase = await chat(ref);
      expect((await importInto(model)).step).toBe(1);
      expect(ofBase.step).toBe('0');
      // The notification of the checkpoint may be on its way to the gateway still.
      const ofImport = await until(async () => {
        const answer = await chat(ref);
        return answer.step === '1' && answer;
      }, 'an answer of the import');
      expect(ofImport.logprobs).not.toEqual(ofBase.logprobs);

      const lines = ['a', 'b', 'c', 'd'].map((word) =>
        JSON.stringify({
          messages: [
            { role: 'user', content: 'Say it.' },
            { role: 'assistant', content: word },
          ],
        }),
      );
      const sft = await trained('/v1/preview/sft-training-jobs', {
        model_id: model,
        training_data_url: `data:,${encodeURIComponent(lines.join('\n'))}`,
        config: { batch_size: 2, learning_rate: 1e-3 },
      });
      expect(sft).toEqual([1, 2]);
      const fileOf = (step: number, name: string) =>
        ask<Record<string, unknown>>('GET', `${MODELS}/${model}/checkpoints/${step}/files/${name}`);
      expect(await fileOf(2, 'adapter_config.json')).toMatchObject({
        r: 3,
        lora_alpha: 12,
        target_modules: ['q_proj', 'down_proj'],
      });
      expect(await fileOf(2, 'state.json')).toMatchObject({ optimizer_steps: 2 });

      const rl = await trained('/v1/preview/training-jobs', {
        model_id: model,
        trajectory_groups: [{ trajectories: [0, 1].map(aTrajectory) }],
        config: { learning_rate: 1e-3 },
        experimental_config: { kl_penalty_coef: 0.1, kl_penalty_reference_step: 1, packed_sequence_length: 64 },
      });
      expect(rl).toEqual([2, 3]);
      expect(await fileOf(3, 'adapter_config.json')).toMatchObject({ r: 3, lora_alpha: 12 });

      const download = await bytes(`${MODELS}/${model}/checkpoints/3/download`);
      const copy = await newModel('copy');
      await importInto(copy, Buffer.from(await download.arrayBuffer()));
      const [original, copied] = [await chat(ref), await chat('hone-artifact:///local/imports/copy')];
      expect([original.step, copied.step]).toEqual(['3', '1']);
      expect([copied.text, copied.logprobs]).toEqual([original.text, original.logprobs]);
    },
    LIMIT_MS,
  );

  it(
    'gets a step of its own while jobs of the model commit theirs',
    async () => {
      const model = await newModel('busy');
      const line = JSON.stringify({
        messages: [
          { role: 'user', content: 'x' },
          { role: 'assistant', content: 'y' },
        ],
      });
      const training_data_url = `data:,${encodeURIComponent(line)}`;
      const jobs = [1, 2].map(() => trained('/v1/preview/sft-training-jobs', { model_id: model, training_data_url }));
      const imports = Array.from({ length: 4 }, () => importInto(model));
      const steps = [
        ...(await Promise.all(imports)).map(({ step }) => step),
        ...(await Promise.all(jobs)).map(([, produced]) => produced),
      ];
      expect(steps.sort()).toEqual([1, 2, 3, 4, 5, 6]);
      expect(await findBrokenInvariants(stack.test.db)).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'that was stored, but not committed when its process was killed, is garbage and nothing else',
    async () => {
      const model = await newModel('killed');
      await importInto(model);
      const folder = join(dataDir, 'artifacts/models', model);
      const training = await stack.start('training');
      await stack.test.db.transaction(async () => {
        await stack.test.db.client.$executeRaw`SELECT 1 FROM trainable_models WHERE id = ${model}::uuid FOR UPDATE`;
        const url = `${training.url}${MODELS}/${model}/checkpoints/import`;
        const headers = { authorization: `Bearer ${stack.key}`, 'content-type': 'application/gzip' };
        const lost = fetch(url, { method: 'POST', headers, body: new Uint8Array(BODY) }).catch(() => 'lost');
        await until(async () => (await readdir(folder)).length === 2, 'the stored checkpoint', LIMIT_MS);
        await training.stop('SIGKILL');
        expect(await lost).toBe('lost');
      });
      const rows = await stack.test.sql<{ uri: string }>('SELECT uri FROM checkpoints WHERE model_id = $1', [model]);
      expect(rows).toHaveLength(1);
      for (const name of await readdir(folder)) await utimes(join(folder, name), TWO_DAYS_AGO, TWO_DAYS_AGO);
      await until(async () => (await readdir(folder)).length === 1, 'the collector', LIMIT_MS);
      expect(rows[0]?.uri).toContain((await readdir(folder))[0]);
      expect((await importInto(model)).step).toBe(2);
    },
    LIMIT_MS,
  );
});

/** A made-up rollout with its ids. */
const aTrajectory = (reward: number) => ({
  reward,
  messages_and_choices: [
    { role: 'user', content: 'Say something.' },
    {
      message: { role: 'assistant', content: 'Something.' },
      finish_reason: 'stop',
      prompt_token_ids: [11, 12, 13],
      token_ids: [20 + reward, 21, 22],
      logprobs: { content: [20 + reward, 21, 22].map((id) => ({ token: `token_id:${id}`, logprob: -2 })) },
    },
  ],
});

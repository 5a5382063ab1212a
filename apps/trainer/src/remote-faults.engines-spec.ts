import { setTimeout as sleep } from 'node:timers/promises';

import { type SkyrlPart, SkyrlServer, until } from '@hone/testing';
import type { TrainingJobRecord } from '@hone/training-jobs';

import { writeEnginesFile } from './testing/engines-file.fixture.js';
import { LONG_MS, TrainerBench } from './testing/trainer-bench.fixture.js';
import { ONE_BY_ONE, someGroups } from './testing/training-input.fixture.js';

/** Long enough to be hit before and after its resume point, at step 10. */
const GROUPS = someGroups(7);
const STEPS = 14;
const CONFIG = { ...ONE_BY_ONE, learning_rate: 1e-4 };
/** How often each part is killed, each time amid another job. */
const KILLS = Number(process.env['HONE_ENGINES_KILLS'] ?? 1);
/** For a kill, a start of the server and the rest of the job, on a machine that is busy. */
const KILL_MS = 900_000;
const isLong = Boolean(process.env['HONE_ENGINES_LONG']);
/** Each start of the server takes half a minute. */
const itLong = isLong ? it : it.skip;
const PARTS: SkyrlPart[] = [
  'engine',
  ...(isLong ? (['api'] as const) : []),
  ...(process.env['HONE_TEST_ENGINE'] === 'skyrl-ray' ? (['worker'] as const) : []),
];

describe('faults around a job on a training server', () => {
  let server: SkyrlServer;
  let bench: TrainerBench;
  beforeAll(async () => {
    server = await SkyrlServer.start();
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    const file = writeEnginesFile(server.url);
    bench = await TrainerBench.start({ maxFailures: 99 }, { HONE_ENGINES: file });
    await bench.trainer();
  });
  afterEach(() => bench.close());

  const startJob = async () => bench.rlJob(await bench.model(), GROUPS, CONFIG);
  const atStep = (job: TrainingJobRecord, step: number) => bench.until(job.id, ({ stepsDone }) => stepsDone >= step);
  const assertEnded = async ({ id }: TrainingJobRecord, more: object = {}) => {
    const job = await bench.ended(id);
    expect(job).toMatchObject({ status: 'succeeded', error: null, stepsDone: STEPS, producedStep: 1, ...more });
    const types = (await bench.events(id)).map(({ type }) => type);
    expect(types).toEqual(['training_started', ...Array(STEPS).fill('gradient_step'), 'training_ended']);
  };
  const assertNoModels = async () => {
    await until(async () => (await modelsKnown()) === 0, 'every model of the jobs is unloaded', LONG_MS);
    expect(await loadedModels()).toBe(0);
  };
  const assertWhole = async (job: TrainingJobRecord, more: object = {}) => {
    await assertEnded(job, more);
    await assertNoModels();
  };
  /** The first kill comes after the resume point; later ones before and after it. */
  const stepOf = (kill: number) => (kill % 2 === 0 ? 11 : 1 + (kill % 9));
  const modelsKnown = async () => (await bench.test.sql('SELECT 1 FROM engine_models')).length;
  /** How many models the server has that were not unloaded: a step of a model that is there is no error. */
  const loadedModels = async () => {
    const { training_runs: runs } = (await (await fetch(`${server.url}/training_runs?limit=1000`)).json()) as {
      training_runs: { training_run_id: string }[];
    };
    const states = await Promise.all(
      runs.map(async ({ training_run_id: id }) => {
        const body = JSON.stringify({ model_id: id });
        const headers = { 'content-type': 'application/json' };
        const info = await fetch(`${server.url}/get_info`, { method: 'POST', headers, body });
        return ((await info.json()) as { status: string }).status;
      }),
    );
    return states.filter((status) => status === 'created').length;
  };

  it(
    'goes on when the trainer is killed, and leaves no model of the dead attempt',
    async () => {
      for (let kill = 0; kill < KILLS; kill++) {
        const job = await startJob();
        const running = await atStep(job, stepOf(kill));
        const next = bench.trainer();
        await bench.holderOf(running).stop('SIGKILL');
        await next;
        await bench.expireLease(job.id);
        await assertWhole(job);
      }
    },
    KILLS * KILL_MS,
  );

  it('lets one of two trainers win when the first was frozen', async () => {
    const job = await startJob();
    const frozen = bench.holderOf(await atStep(job, 3));
    await bench.freeze(frozen, job.id);
    await bench.trainer();
    await bench.expireLease(job.id);
    await bench.until(job.id, ({ attempt }) => attempt === 2);
    await atStep(job, 5);
    frozen.child.kill('SIGCONT');
    await assertWhole(job);
  });

  it.each(PARTS)(
    'waits for a server whose %s was killed, and goes on',
    async (part) => {
      for (let kill = 0; kill < KILLS; kill++) {
        const job = await startJob();
        await atStep(job, stepOf(kill));
        await server.kill(part);
        await bench.until(job.id, ({ status }) => status === 'queued');
        await server.start();
        await assertWhole(job);
      }
    },
    KILLS * KILL_MS,
  );

  itLong('begins anew when the server comes back without its database', async () => {
    const job = await startJob();
    await atStep(job, 11);
    await server.kill('all');
    server.forget();
    await server.start();
    await assertWhole(job);
  });

  const post = async (path: string, json: object) =>
    fetch(`${server.url}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(json),
    }).then(async (answer) => [answer.status, (await answer.json()) as Record<string, string>] as const);
  /** Makes models until the server refuses one. @returns their ids; of the refused one, too, of which it keeps a record */
  const fillServer = async () => {
    const [, session] = await post('create_session', { tags: [], sdk_version: '0.25.0' });
    const models: string[] = [];
    for (;;) {
      const order = { session_id: session['session_id'], model_seq_id: 1, base_model: 'x', lora_config: { rank: 8 } };
      const [, made] = await post('create_model', order);
      const [status] = await post('retrieve_future', { request_id: made['request_id'] });
      models.push(made['model_id'] as string);
      if (status !== 200) return models;
    }
  };
  const unload = async (models: readonly string[]) => {
    for (const model_id of models) await post('unload_model', { model_id });
  };

  it('waits for room on a full server, which is no failure', async () => {
    const models = await fillServer();
    expect(models.length).toBeGreaterThan(1);
    const job = await startJob();
    await bench.until(job.id, ({ attempt, status }) => attempt >= 1 && status === 'queued');
    await sleep(1_000);
    expect(await bench.find(job.id)).toMatchObject({ failures: 0, stepsDone: 0, error: null });
    expect(await bench.metrics()).toMatch(/^trainer_engine_waits_total\{engine="skyrl",reason="capacity"\} [1-9]/m);
    await unload(models);
    await assertWhole(job, { failures: 0 });
  });

  it('trains two models at once, while a third waits for room', async () => {
    const models = await fillServer();
    await unload(models.slice(0, 2));
    await bench.trainer();
    await bench.trainer();
    const jobs = [await startJob(), await startJob(), await startJob()];
    await until(
      async () => {
        const seen = await Promise.all(jobs.map(({ id }) => bench.find(id)));
        const amidst = seen.filter(({ stepsDone }) => stepsDone > 0 && stepsDone < STEPS);
        const waiting = seen.filter(({ attempt, stepsDone }) => attempt >= 1 && stepsDone === 0);
        return amidst.length === 2 && waiting.length === 1;
      },
      'two jobs are amid their steps and the third has been put back',
      LONG_MS,
    );
    for (const job of jobs) await assertEnded(job, { failures: 0 });
    await unload(models);
    await assertNoModels();
  });
});

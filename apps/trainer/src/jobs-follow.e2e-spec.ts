import { until } from '@hone/testing';

import { LONG_MS, TrainerBench } from './testing/trainer-bench.fixture.js';
import { ONE_BY_ONE, someGroups, someLines } from './testing/training-input.fixture.js';

describe('jobs of one model', () => {
  let bench: TrainerBench;
  beforeAll(async () => {
    bench = await TrainerBench.start();
    await bench.trainer();
  }, LONG_MS);
  afterAll(() => bench.close());

  async function stateOf(model: string, step: number): Promise<{ optimizer_steps: number; config: object }> {
    const { uri } = await bench.checkpoint(model, step);
    const hashes = await bench.hashes(model, step);
    return JSON.parse((await bench.store.read(`${uri}/state.json`, hashes['state.json'] as string)).toString());
  }

  it(
    'go on from one another: moments too, unless the kind changes',
    async () => {
      const model = await bench.model();
      const jobs = [
        await bench.rlJob(model, someGroups(2), ONE_BY_ONE),
        await bench.rlJob(model, someGroups(2, 2), ONE_BY_ONE),
        await bench.sftJob(model, someLines(4)),
      ];
      const parents = [];
      for (const { id } of jobs) parents.push((await bench.ended(id)).parentStep);
      expect(parents).toEqual([0, 1, 2]);
      const states = [await stateOf(model, 1), await stateOf(model, 2), await stateOf(model, 3)];
      expect(states.map((state) => state.optimizer_steps)).toEqual([4, 8, 2]);
    },
    LONG_MS,
  );

  it(
    'make a step of equal rewards, with the bytes of the step before',
    async () => {
      const model = await bench.model();
      const equal = { trajectories: [0.1, 0.1, 0.1].map((reward) => ({ reward, messages_and_choices: [] })) };
      const first = await bench.rlJob(model, [equal]);
      const second = await bench.rlJob(model, someGroups(1), ONE_BY_ONE);
      const third = await bench.rlJob(model, [equal, {}]);
      for (const [{ id }, steps] of [
        [first, 0],
        [second, 2],
        [third, 0],
      ] as const) {
        expect(await bench.ended(id)).toMatchObject({ status: 'succeeded', numSequences: steps, stepsDone: steps });
      }
      expect((await bench.events(third.id)).map(({ type, data }) => [type, data['step']])).toEqual([
        ['training_started', undefined],
        ['training_ended', 3],
      ]);
      const [one, two, three] = [1, 2, 3].map((step) => bench.checkpoint(model, step));
      expect((await three)?.uri).toBe((await two)?.uri);
      expect((await two)?.uri).not.toBe((await one)?.uri);
      // The first one shares with nobody: it is a fresh adapter, which changes nothing yet.
      expect(await stateOf(model, 1)).toMatchObject({ optimizer_steps: 0 });
    },
    LONG_MS,
  );

  it(
    'measure from the step that was asked for',
    async () => {
      const model = await bench.model();
      await bench.ended((await bench.rlJob(model, someGroups(1), { ...ONE_BY_ONE, learning_rate: 1e-2 })).id);
      const { id } = await bench.rlJob(model, someGroups(1), { ...ONE_BY_ONE, kl_penalty_coef: 0.1 });
      const job = await bench.ended(id);
      // From the base, of which step 1 is some way off.
      expect(job.metrics['kl_policy_ref']).not.toBe(0);
      expect(job.referenceId).toBeNull();
      const again = await bench.rlJob(model, someGroups(1), {
        ...ONE_BY_ONE,
        kl_penalty_coef: 0.1,
        kl_penalty_reference_step: 1,
      });
      expect((await bench.ended(again.id)).referenceId).toBe((await bench.checkpoint(model, 1)).id);
    },
    LONG_MS,
  );

  it(
    'end soon when they are cancelled, and let the next one go',
    async () => {
      const model = await bench.model();
      const long = await bench.rlJob(model, someGroups(2_000), ONE_BY_ONE);
      const next = await bench.rlJob(model, someGroups(1), ONE_BY_ONE);
      await bench.until(long.id, ({ stepsDone }) => stepsDone >= 3);
      await bench.control.cancelJob(long.id, long.createdBy);
      const cancelled = await bench.ended(long.id);
      expect(cancelled).toMatchObject({ status: 'cancelled', error: { code: 'job.cancelled' }, failures: 0 });
      expect(await bench.ended(next.id)).toMatchObject({ status: 'succeeded', parentStep: 0, producedStep: 1 });
      const left: string[] = [];
      for await (const { uri } of bench.store.list(`jobs/${long.id}`)) left.push(uri);
      expect(left.filter((uri) => uri.includes('resume-'))).toEqual([]);
    },
    LONG_MS,
  );

  it(
    'end while they are planned',
    async () => {
      const model = await bench.model();
      const { id, createdBy } = await bench.rlJob(model, someGroups(20_000), ONE_BY_ONE);
      await bench.until(id, ({ status }) => status === 'preparing');
      await bench.control.cancelJob(id, createdBy);
      expect(await bench.ended(id)).toMatchObject({ status: 'cancelled', numSequences: null });
    },
    LONG_MS,
  );

  it(
    'leave nothing behind under tmp',
    async () => {
      await until(async () => {
        for await (const _ of bench.store.list('tmp')) return false;
        return true;
      }, 'an empty folder');
    },
    LONG_MS,
  );
});

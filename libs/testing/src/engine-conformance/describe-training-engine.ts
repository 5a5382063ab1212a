import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { PreferenceMethod, TrainingJobKind } from '@hone/contracts';
import type { TrainingSpec } from '@hone/engine';

import { hashes } from './checkpoint-hashes.js';
import { describeLearning } from './describe-learning.js';
import { describeValidation } from './describe-validation.js';
import type { EngineUnderTest } from './engine-under-test.js';
import { finish, RecordingSink } from './recording-sink.js';
import { anRlSpec, anSftSpec, aPreferenceSpec, someRows } from './training-specs.js';

/** Reinforcement learning, fine-tuning, or the method of a job that learns from preferences. */
type JobForm = Exclude<TrainingJobKind, 'preference'> | PreferenceMethod;

const STEPS = 5;
/** For what takes many jobs. */
const LONG_MS = 600_000;

/**
 * Conformance suite of the training port: what every engine must do, wherever it computes.
 *
 * @param start called once; `stop` of its result once at the end
 */
export function describeTrainingEngine(
  name: string,
  start: () => Promise<EngineUnderTest & { stop(): Promise<void> }>,
): void {
  describe(`${name} as a training engine`, () => {
    let subject: EngineUnderTest & { stop(): Promise<void> };
    beforeAll(async () => {
      subject = await start();
    });
    afterAll(() => subject.stop());

    const jobOf = (kind: JobForm, changes: Partial<TrainingSpec> = {}) => {
      if (kind === 'rl') return anRlSpec(subject, someRows(STEPS, subject.vocabSize), {}, changes);
      if (kind === 'sft') return anSftSpec(subject, someRows(STEPS, subject.vocabSize, 'sft'), changes);
      return aPreferenceSpec(subject, { method: kind }, changes);
    };

    it.each(['rl', 'sft', 'dpo', 'ipo', 'orpo', 'kto'] as const)(
      'reports each step of an %s job once, in order, in finite numbers',
      async (kind) => {
        const sink = new RecordingSink();
        await finish(subject, await jobOf(kind), sink);
        expect([...sink.steps.keys()]).toEqual([1, 2, 3, 4, 5]);
        for (const metrics of sink.steps.values()) {
          expect(Object.values(metrics).every(Number.isFinite)).toBe(true);
          expect(Object.keys(metrics)).toEqual(expect.arrayContaining(['loss', 'grad_norm', 'learning_rate']));
        }
      },
    );

    it('gives equal bytes for equal jobs', async () => {
      const [first, second] = [await finish(subject, await jobOf('rl')), await finish(subject, await jobOf('rl'))];
      expect(await hashes(second)).toEqual(await hashes(first));
    });

    it('gives the same bytes when it was prepared for the job', async () => {
      const expected = await hashes(await finish(subject, await jobOf('rl')));
      await subject.engine.prepare(subject.baseModel);
      expect(await hashes(await finish(subject, await jobOf('rl')))).toEqual(expected);
    });

    it.each(['rl', 'dpo', 'kto'] as const)(
      'ends an %s job with the same bytes and numbers when it is killed after any step and goes on',
      async (kind) => {
        const undisturbed = new RecordingSink();
        const expected = await hashes(await finish(subject, await jobOf(kind), undisturbed));
        for (let killedAt = 1; killedAt < STEPS; killedAt += 1) {
          const first = await killAfter(await jobOf(kind, { resume_every: { steps: 2, seconds: 60 } }), killedAt);
          const second = new RecordingSink();
          const resume = first.resumePoints.at(-1) ?? null;
          expect(await hashes(await finish(subject, await jobOf(kind, { attempt: 2, resume }), second))).toEqual(
            expected,
          );
          const steps = new Map([...first.steps, ...second.steps]);
          expect(steps).toEqual(undisturbed.steps);
        }
      },
      LONG_MS,
    );

    async function killAfter(spec: TrainingSpec, k: number): Promise<RecordingSink> {
      const cancel = new AbortController();
      const sink = new RecordingSink((step) => step === k && cancel.abort(new Error('killed by the test')));
      await expect(subject.engine.run(spec, { cancel: cancel.signal }, sink)).rejects.toThrow('killed by the test');
      expect(await readdir(fileURLToPath(spec.output_prefix))).not.toContain('checkpoint');
      return sink;
    }

    it('makes the same checkpoints on the way, killed or not', async () => {
      const every = { checkpoint_every: 2, resume_every: { steps: 1, seconds: 60 } };
      const undisturbed = new RecordingSink();
      await finish(subject, await jobOf('sft', every), undisturbed);
      expect(undisturbed.checkpoints.map(({ k }) => k)).toEqual([2, 4]);
      const expected = await Promise.all(undisturbed.checkpoints.map(hashes));
      expect(new Set(expected.map((files) => files.get('adapter_model.safetensors'))).size).toBe(2);
      const first = await killAfter(await jobOf('sft', every), 3);
      const second = new RecordingSink();
      const resume = first.resumePoints.at(-1) ?? null;
      await finish(subject, await jobOf('sft', { ...every, attempt: 2, resume }), second);
      const reported = new Map([...first.checkpoints, ...second.checkpoints].map((one) => [one.k, one]));
      expect(await Promise.all([2, 4].map((k) => hashes(reported.get(k)!)))).toEqual(expected);
    });

    it('leaves a resume point when it is drained', async () => {
      const drain = new AbortController();
      const sink = new RecordingSink((k) => k === 2 && drain.abort());
      const spec = await anRlSpec(subject, someRows(50, subject.vocabSize));
      const cancel = new AbortController().signal;
      expect(await subject.engine.run(spec, { cancel, drain: drain.signal }, sink)).toEqual({ status: 'drained' });
      expect(sink.resumePoints.map(({ k }) => k)).toEqual([sink.steps.size]);
      expect(sink.steps.size).toBeLessThan(50);
    });

    it('leaves no resume point twice when it is drained right after one', async () => {
      const drain = new AbortController();
      const sink = new RecordingSink((k) => k === 2 && drain.abort());
      const every = { resume_every: { steps: 1, seconds: 60 } };
      const spec = await anRlSpec(subject, someRows(50, subject.vocabSize), {}, every);
      const cancel = new AbortController().signal;
      expect(await subject.engine.run(spec, { cancel, drain: drain.signal }, sink)).toEqual({ status: 'drained' });
      expect(sink.resumePoints.map(({ k }) => k)).toEqual([...sink.steps.keys()]);
    });

    it('starts nothing when it is cancelled before', async () => {
      const cancel = AbortSignal.abort(new Error('too late'));
      await expect(subject.engine.run(await jobOf('rl'), { cancel }, new RecordingSink())).rejects.toThrow('too late');
    });

    it('stops with the error of its sink', async () => {
      const sink = new RecordingSink((k) => {
        if (k === 2) throw new Error('fenced');
      });
      const cancel = new AbortController().signal;
      await expect(subject.engine.run(await jobOf('rl'), { cancel }, sink)).rejects.toThrow('fenced');
    });

    it('changes no weight at a learning rate of 0', async () => {
      const parent = await finish(subject, await jobOf('rl'));
      const rows = someRows(1, subject.vocabSize).map((row) => ({ ...row, learningRate: 0 }));
      const product = await finish(subject, await anRlSpec(subject, rows, {}, { parent }));
      expect((await hashes(product)).get('adapter_model.safetensors')).toBe(
        (await hashes(parent)).get('adapter_model.safetensors'),
      );
    });

    it('makes a fresh adapter of a plan without rows', async () => {
      const product = await finish(subject, await anRlSpec(subject, []));
      expect((await hashes(product)).has('adapter_model.safetensors')).toBe(true);
    });

    it('trains all weights when no adapter is asked for', async () => {
      const product = await finish(subject, await jobOf('sft', { lora: null }));
      expect((await hashes(product)).has('model.safetensors')).toBe(true);
    });

    it('refuses a plan that has changed', async () => {
      const spec = await jobOf('rl');
      await flipByte(fileURLToPath(spec.plan.uri));
      await expectCode(finish(subject, spec), 'storage.corrupt');
    });

    it('refuses a parent that has changed', async () => {
      const parent = await finish(subject, await jobOf('rl'));
      await flipByte(join(fileURLToPath(parent.uri), 'adapter_model.safetensors'));
      await expectCode(finish(subject, await jobOf('rl', { parent })), 'storage.corrupt');
    });

    it('says that it does not know a base model', async () => {
      expect(await subject.engine.supports('nobody/has-this')).toBe(false);
      await expectCode(
        finish(subject, await jobOf('rl', { base_model: 'nobody/has-this' })),
        'engine.base_model_unsupported',
      );
    });

    it('fails on a loss that is not finite', async () => {
      const [row] = someRows(1, subject.vocabSize);
      const sequences = row?.sequences.map((sequence) => ({ ...sequence, adv: 1e38 })) ?? [];
      const spec = await anRlSpec(subject, [{ ...row, sequences } as NonNullable<typeof row>]);
      await expectCode(finish(subject, spec), 'engine.nonfinite_loss');
    });

    it('saves no weights that are not finite, also when only the last update overflows', async () => {
      const overflow = async (learningRate: number) => {
        const [row] = someRows(1, subject.vocabSize);
        return anRlSpec(subject, [{ ...row!, learningRate }]);
      };
      for (const rate of [1e30, 1e38, 1e39]) {
        await expectCode(finish(subject, await overflow(rate)), 'engine.nonfinite_loss');
      }
    });

    describeLearning(() => subject);
    describeValidation(() => subject);
  });
}

async function flipByte(path: string): Promise<void> {
  const bytes = await readFile(path);
  const at = bytes.length - 5;
  bytes[at] = (bytes[at] as number) ^ 1;
  await writeFile(path, bytes);
}

async function expectCode(run: Promise<unknown>, code: string): Promise<void> {
  await expect(run).rejects.toMatchObject({ code });
}

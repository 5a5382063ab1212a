import type { PlannedSequence, StepMetrics, TrainingSpec } from '@hone/engine';

import { hashes } from './checkpoint-hashes.js';
import type { EngineUnderTest } from './engine-under-test.js';
import { finish, RecordingSink } from './recording-sink.js';
import { anSftSpec, type Changes, someRows } from './training-specs.js';

const STEPS = 12;
const LONG_MS = 600_000;

/** The part of the suite about validation loss and early stopping. */
export function describeValidation(engineUnderTest: () => EngineUnderTest): void {
  /** Learns one row by heart at a high rate, which the held-out lines pay for. */
  const aJob = (validation: TrainingSpec['validation'], changes: Changes = {}, length = STEPS) => {
    const subject = engineUnderTest();
    const rows = someRows(1, subject.vocabSize, 'sft');
    const repeated = Array.from({ length }, (_, row) => ({ ...rows[0]!, row, learningRate: 2e-2 }));
    const held = someRows(3, subject.vocabSize, 'sft')
      .slice(1)
      .flatMap(({ sequences }): PlannedSequence[] => [...sequences]);
    return anSftSpec(subject, repeated, { validation, ...changes }, validation === null ? [] : held);
  };
  const run = async (spec: TrainingSpec) => {
    const sink = new RecordingSink();
    const checkpoint = await finish(engineUnderTest(), spec, sink);
    return { sink, steps: [...sink.steps.values()], files: await hashes(checkpoint) };
  };
  const lossesOf = (steps: StepMetrics[]) => steps.map((step) => step['validation_loss']);
  const weightsOf = ({ files }: { files: Map<string, string> }) => files.get('adapter_model.safetensors');

  it('takes the validation loss of each step without any effect on the training', async () => {
    const plain = await run(await aJob(null));
    const watched = await run(await aJob({ every: 1, early_stopping: null }));
    expect(weightsOf(watched)).toBe(weightsOf(plain));
    expect(lossesOf(watched.steps).every((loss) => Number.isFinite(loss) && Number(loss) > 0)).toBe(true);
    expect(new Set(lossesOf(watched.steps)).size).toBe(STEPS);
    const seldom = await run(await aJob({ every: 5, early_stopping: null }));
    expect(lossesOf(seldom.steps).flatMap((loss, index) => (loss === undefined ? [] : index + 1))).toEqual([5, 10, 12]);
    expect(seldom.steps[4]?.['validation_loss']).toBe(watched.steps[4]?.['validation_loss']);
  });

  it(
    'stops early with the weights of the lowest validation loss, and the same bytes killed after any step',
    async () => {
      const validation = { every: 1, early_stopping: { patience: 3, min_delta: 0 } };
      const all = lossesOf((await run(await aJob({ every: 1, early_stopping: null }))).steps).map(Number);
      const { sink, steps, files } = await run(await aJob(validation));
      const stopped = Number(steps.at(-1)?.['stopped_after_step']);
      expect(stopped).toBeLessThan(STEPS - 1);
      const best = all.indexOf(Math.min(...all.slice(0, stopped)));
      expect(stopped).toBe(best + 1 + 3);
      expect(lossesOf(steps)).toEqual(all.map((loss, index) => (index < stopped ? loss : undefined)));
      for (const step of steps.slice(stopped)) {
        expect(step).toEqual({ stopped_early: 1, stopped_after_step: stopped, best_validation_loss: all[best] });
      }
      expect(files).toEqual((await run(await aJob(null, {}, best + 1))).files);

      for (let killedAt = 1; killedAt < STEPS; killedAt += 1) {
        const cancel = new AbortController();
        const first = new RecordingSink((k) => k === killedAt && cancel.abort(new Error('killed by the test')));
        const every = { resume_every: { steps: 2, seconds: 60 } };
        const killed = engineUnderTest().engine.run(await aJob(validation, every), { cancel: cancel.signal }, first);
        await expect(killed).rejects.toThrow('killed by the test');
        const resume = first.resumePoints.at(-1) ?? null;
        const second = await run(await aJob(validation, { attempt: 2, resume }));
        expect(second.files).toEqual(files);
        const numbers = new Map([...first.steps, ...second.sink.steps]);
        expect(withoutTimes(numbers)).toEqual(withoutTimes(sink.steps));
      }
    },
    LONG_MS,
  );
}

const withoutTimes = (steps: ReadonlyMap<number, StepMetrics>) =>
  [...steps].map(([k, metrics]) => [k, { ...metrics, tokens_per_second: 0 }]);

import {
  CISPO,
  OPTIMISER,
  TINY_DECODER,
  TINY_LORA,
  tinyParameters,
  tinyRow,
  tinyWeights,
} from './tiny-decoder.fixture.js';
import { NonFiniteLossError, NonFiniteUpdateError } from './train.errors.js';
import type { TrainSequence } from './train-sequence.js';
import { freshState, Trainer, type TrainState } from './trainer.js';

const SETTINGS = { config: TINY_DECODER, part: TINY_LORA, loss: CISPO, optimiser: OPTIMISER };
const RATE = 0.01;

const trainers: Trainer[] = [];
function aTrainer(state: TrainState = freshState(tinyParameters(TINY_LORA)), threads = 2): Trainer {
  const trainer = new Trainer(SETTINGS, tinyWeights(), state, threads);
  trainers.push(trainer);
  return trainer;
}
afterEach(() => Promise.all(trainers.splice(0).map((trainer) => trainer.release())));

const bytes = ({ parameters, firstMoment, secondMoment }: TrainState) =>
  [parameters, firstMoment, secondMoment].map((vector) => Buffer.from(vector.buffer).toString('hex'));

async function steps(trainer: Trainer, count: number): Promise<TrainState> {
  for (let step = 0; step < count; step += 1) await trainer.step(tinyRow(), RATE);
  return trainer.current;
}

describe('Trainer', () => {
  it('gives the same bytes in ten runs', async () => {
    const runs: TrainState[] = [];
    for (let run = 0; run < 10; run += 1) runs.push(await steps(aTrainer(), 3));
    expect(new Set(runs.map((state) => bytes(state).join())).size).toBe(1);
  });

  it('goes on from a state as if it had not stopped', async () => {
    const unbroken = await steps(aTrainer(), 5);
    const resumed = await steps(aTrainer(await steps(aTrainer(), 2)), 3);
    expect(bytes(resumed)).toEqual(bytes(unbroken));
    expect(resumed.updates).toBe(5);
  });

  it('lowers the loss of supervised rows', async () => {
    const settings = { ...SETTINGS, loss: { kind: 'sft' } as const };
    const trainer = new Trainer(settings, tinyWeights(), freshState(tinyParameters(TINY_LORA)), 1);
    trainers.push(trainer);
    const { loss: first } = await trainer.step(tinyRow(), RATE);
    for (let step = 0; step < 40; step += 1) await trainer.step(tinyRow(), RATE);
    expect((await trainer.step(tinyRow(), RATE)).loss).toBeLessThan(first * 0.7);
  });

  it('changes nothing at a learning rate of 0', async () => {
    const trainer = aTrainer();
    await trainer.step(tinyRow(), 0);
    expect(trainer.current.parameters).toEqual(tinyParameters(TINY_LORA));
  });

  it('takes the same step in several passes as in one', async () => {
    // Long sequences do not fit one pass together.
    const row = Array.from({ length: 12 }, (_, index) => longSequence(600, index));
    const [together, apart] = [aTrainer(), aTrainer()];
    const result = await together.step(row, RATE);
    expect(result.scores).toHaveLength(12);
    const alone = await Promise.all(row.map((sequence) => apart.score([sequence])));
    result.scores.forEach(({ lp }, index) => expectClose(lp, alone[index]?.[0]?.lp as Float32Array, 1e-5));
    const shuffled = await apart.step([...row].reverse(), RATE);
    expect(Math.abs(shuffled.gradientNorm - result.gradientNorm)).toBeLessThan(1e-5 * result.gradientNorm);
  });

  it('scores what a step reports as the log-probabilities before it', async () => {
    const trainer = aTrainer();
    const scored = await trainer.score(tinyRow());
    const { scores } = await trainer.step(tinyRow(), RATE);
    scores.forEach(({ lp, entropy }, index) => {
      expectClose(lp, scored[index]?.lp as Float32Array, 1e-6);
      expectClose(entropy, scored[index]?.entropy as Float32Array, 1e-6);
    });
  });

  it('takes no step whose loss is not finite', async () => {
    const trainer = aTrainer();
    const before = await steps(trainer, 1);
    const row = tinyRow().map((sequence) => ({ ...sequence, advantage: Array.from(sequence.trained, () => 1e38) }));
    await expect(trainer.step(row, RATE)).rejects.toThrow(NonFiniteLossError);
    expect(trainer.current).toBe(before);
  });

  it('takes no step that overflows the weights, though its loss is finite', async () => {
    const trainer = aTrainer();
    const before = await steps(trainer, 1);
    await expect(trainer.step(tinyRow(), 3e38)).rejects.toThrow(NonFiniteUpdateError);
    expect(trainer.current).toBe(before);
  });

  it('tells finite weights that compute nothing finite from usable ones', async () => {
    const trainer = aTrainer();
    await trainer.step(tinyRow(), RATE);
    await trainer.assertUsable(tinyRow());
    await trainer.step(tinyRow(), 1e30);
    await expect(trainer.assertUsable(tinyRow())).rejects.toThrow(NonFiniteUpdateError);
  });
});

function longSequence(length: number, seed: number): TrainSequence {
  const ids = Array.from({ length }, (_, at) => (at * 7 + seed) % TINY_DECODER.vocabSize);
  return { ids, trained: [length - 2, length - 1], weight: [0.02, 0.02], advantage: [1, -0.5], old: [-2, -3] };
}

function expectClose(found: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void {
  expect(found).toHaveLength(expected.length);
  const distance = Math.max(...Array.from(found, (value, at) => Math.abs(value - (expected[at] as number))));
  expect(distance).toBeLessThan(tolerance);
}

import { canQuantise, quantise, type StoredWeights, toFloats } from '../../blocks/index.js';
import type { LossSettings } from '../../loss/index.js';
import type { LlamaConfig } from '../../model/config/llama-config.js';
import {
  CISPO,
  OPTIMISER,
  TINY_DECODER,
  TINY_LORA,
  tinyParameters,
  tinyRow,
  tinyWeights,
} from '../tiny-decoder.fixture.js';
import type { LateWeights, TrainSequence } from '../train-sequence.js';
import { copyState, freshState, type TrainState } from '../train-state.js';
import { projectionPath } from '../trained-parameters.js';
import { WholeGraphRunner } from '../whole-graph-runner.js';
import type { LayerwisePlan } from './layerwise-plan.js';
import { LayerwiseRunner } from './layerwise-runner.js';

/** Every width is a multiple of a block. */
const CONFIG: LlamaConfig = { ...TINY_DECODER, hiddenSize: 32, intermediateSize: 64, numLayers: 3, headDim: 8 };
const LONG: LayerwisePlan = { maxTokens: 1024, predictions: 4, vocabulary: 5, savedLayers: 1 };
const RATE = 0.01;

function stored(bits: 4 | 8 | null, tiedHead: boolean): StoredWeights {
  return new Map(
    [...tinyWeights({ ...CONFIG, tiedHead })].map(([name, tensor]) => [
      name,
      bits !== null && canQuantise(tensor, bits) ? quantise(tensor, bits) : tensor,
    ]),
  );
}

const start = () => freshState(tinyParameters(TINY_LORA, CONFIG));

describe('layerwise training', () => {
  it.each([
    ['4 bits, a tied head', 4, true, { kind: 'sft' }, LONG],
    ['8 bits', 8, false, CISPO, LONG],
    ['float32, all products saved', null, false, { ...CISPO, level: 'sequence' }, { ...LONG, savedLayers: 3 }],
    ['4 bits, none saved, passes of one sequence', 4, false, CISPO, { ...LONG, maxTokens: 8, savedLayers: 0 }],
  ] as [string, 4 | 8 | null, boolean, LossSettings, LayerwisePlan][])(
    'of %s takes the step of the whole graph on the dequantised weights',
    async (_name, bits, tiedHead, loss, plan) => {
      const weights = stored(bits, tiedHead);
      const settings = { config: { ...CONFIG, tiedHead }, part: TINY_LORA, loss, optimiser: OPTIMISER };
      const floats: StoredWeights = new Map([...weights].map(([name, tensor]) => [name, toFloats(tensor)]));
      const whole = new WholeGraphRunner(settings, floats, 1);
      const layerwise = new LayerwiseRunner(settings, weights, 1, plan);
      const [expected, found] = [
        await whole.step(start(), tinyRow(), RATE),
        await layerwise.step(start(), tinyRow(), RATE),
      ];
      expect(Math.abs(found.loss - expected.loss)).toBeLessThan(1e-5 * Math.max(1, Math.abs(expected.loss)));
      expect(Math.abs(found.gradientNorm / expected.gradientNorm - 1)).toBeLessThan(1e-5);
      // After one step the first moment is the gradient, up to a factor.
      expect(distance(found.state.firstMoment, expected.state.firstMoment)).toBeLessThan(1e-4);
      const parameters = start().parameters;
      const [scores, others] = [await whole.score(parameters, tinyRow()), await layerwise.score(parameters, tinyRow())];
      scores.forEach(({ lp, entropy, best }, index) => {
        expect(distance(others[index]!.lp, lp)).toBeLessThan(1e-5);
        expect(distance(others[index]!.entropy, entropy)).toBeLessThan(1e-5);
        expect(distance(others[index]!.best, best)).toBeLessThan(1e-5);
      });
      await Promise.all([whole.release(), layerwise.release()]);
    },
  );

  it('of modules with scales of their own, other ones in each layer, takes the step of the whole graph', async () => {
    const { lora } = TINY_LORA;
    const paths = lora.targets.flatMap((target) => [0, 1, 2].map((layer) => projectionPath(layer, target)));
    const modules = new Map(paths.map((path, at) => [path, { rank: lora.rank, scale: 0.5 + at / 8 }]));
    const variant = { useRslora: false, rankPattern: {}, alphaPattern: {}, modules };
    const part = { kind: 'lora', lora: { ...lora, variant } } as const;
    const settings = { config: CONFIG, part, loss: CISPO, optimiser: OPTIMISER };
    const whole = new WholeGraphRunner(settings, stored(null, false), 1);
    for (const savedLayers of [0, 3]) {
      const layerwise = new LayerwiseRunner(settings, stored(null, false), 1, { ...LONG, savedLayers });
      const [expected, found] = [
        await whole.step(start(), tinyRow(), RATE),
        await layerwise.step(start(), tinyRow(), RATE),
      ];
      expect(Math.abs(found.loss - expected.loss)).toBeLessThan(1e-5 * Math.max(1, Math.abs(expected.loss)));
      expect(distance(found.state.firstMoment, expected.state.firstMoment)).toBeLessThan(1e-4);
      await layerwise.release();
    }
    await whole.release();
  });

  it('gives the same bytes when it goes on from a state', async () => {
    const settings = { config: CONFIG, part: TINY_LORA, loss: CISPO, optimiser: OPTIMISER };
    const steps = async (state: TrainState, count: number): Promise<TrainState> => {
      const runner = new LayerwiseRunner(settings, stored(4, false), 2, LONG);
      let now = state;
      for (let step = 0; step < count; step += 1) now = (await runner.step(now, tinyRow(), RATE)).state;
      await runner.release();
      return now;
    };
    expect(await steps(await steps(start(), 2), 2)).toEqual(await steps(start(), 4));
  });

  it.each([
    ['one pass', 1024],
    ['a pass for each pair', 32],
  ])('takes weights that follow from log-probabilities, in %s, as when it looks twice', async (_name, maxTokens) => {
    const settings = { config: CONFIG, part: TINY_LORA, loss: { kind: 'sft' } as const, optimiser: OPTIMISER };
    const whole = new WholeGraphRunner(settings, stored(null, false), 1);
    const layerwise = new LayerwiseRunner(settings, stored(null, false), 1, { ...LONG, maxTokens });
    const row = [...tinyRow(), ...tinyRow().slice(0, 1)];
    const weights = pairsOf(row);
    const scores = await whole.score(start().parameters, row);
    const found = weights.of([...row.keys()], scores);
    const weighed = row.map((sequence, at) => ({ ...sequence, weight: found[at] as number[] }));
    const expected = await whole.step(start(), weighed, RATE);
    const taken = await layerwise.stepWeighed(start(), row, weights, RATE);
    expect(Math.abs((taken?.gradientNorm ?? NaN) / expected.gradientNorm - 1)).toBeLessThan(1e-5);
    expect(distance(taken!.state.firstMoment, expected.state.firstMoment)).toBeLessThan(1e-4);
    taken?.scores.forEach(({ lp }, index) => expect(distance(lp, scores[index]!.lp)).toBeLessThan(1e-5));
    await Promise.all([whole.release(), layerwise.release()]);
  });

  it.each([
    ['do not fit into a pass', 8, [0, 0]],
    ['are so unlike in length that padding takes longer than a second look', 4096, [0, 800]],
  ])('looks twice at pairs that %s', async (_name, maxTokens, more) => {
    const settings = { config: CONFIG, part: TINY_LORA, loss: { kind: 'sft' } as const, optimiser: OPTIMISER };
    const layerwise = new LayerwiseRunner(settings, stored(null, false), 1, { ...LONG, maxTokens });
    const row = more.map((length) => {
      const sequence = tinyRow()[0]!;
      return { ...sequence, ids: [...Array.from(sequence.ids), ...Array<number>(length).fill(1)] };
    });
    expect(layerwise.stepWeighed(start(), row, pairsOf(row), RATE)).toBeNull();
    await layerwise.release();
  });

  it('leaves the state that a step begins with as it was, so that the step can be taken again', async () => {
    const settings = { config: CONFIG, part: TINY_LORA, loss: CISPO, optimiser: OPTIMISER };
    const runner = new LayerwiseRunner(settings, stored(4, false), 1, LONG);
    const take = async (state: TrainState) => (await runner.step(state, tinyRow(), RATE)).state;
    const first = await take(await take(start()));
    const before = copyState(first);
    const second = copyState(await take(first));
    expect(first).toEqual(before);
    expect(await take(first)).toEqual(second);
    await runner.release();
  });
});

/** Pairs, first and second in turn, the weights of which follow from the log-probabilities of both. */
function pairsOf(row: readonly TrainSequence[]): LateWeights {
  const firsts = [...row.keys()].filter((at) => at % 2 === 0);
  return {
    groups: firsts.map((at) => [at, at + 1]),
    of: (_members, scores) =>
      scores.map(({ lp }, at) => {
        const other = scores[at % 2 === 0 ? at + 1 : at - 1]!;
        const [own, others] = [lp, other.lp].map((numbers) => numbers.reduce((sum, number) => sum + number, 0));
        return Array.from(lp, () => (own! - 2 * others!) / 100);
      }),
  };
}

/** Largest difference, relative to the largest number. */
function distance(found: Float32Array, expected: Float32Array): number {
  const largest = (numbers: Float32Array) => numbers.reduce((most, number) => Math.max(most, Math.abs(number)), 0);
  expect(found).toHaveLength(expected.length);
  return largest(found.map((number, at) => number - expected[at]!)) / largest(expected);
}

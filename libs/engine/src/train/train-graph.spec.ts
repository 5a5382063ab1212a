import { Tensor } from 'onnxruntime-node';

import { cosine, someNumbers } from '../autodiff/gradient-check.fixture.js';
import { type LossSequence, type LossSettings, type RlLoss, rowLoss } from '../loss/index.js';
import { plainLogProbabilities, plainWeights } from '../model/plain-decoder.fixture.js';
import { openSession } from '../runtime/session.js';
import { MicroBatchFeeds } from './micro-batch-feeds.js';
import {
  CISPO,
  OPTIMISER,
  TINY_DECODER,
  TINY_LORA,
  tinyParameters,
  tinyRow,
  tinyWeights,
} from './tiny-decoder.fixture.js';
import { buildTrainGraph } from './train-graph.js';
import { trainedLayout, type TrainedPart } from './trained-parameters.js';

const PPO: RlLoss = { ...CISPO, lossFn: 'ppo', epsilon: 0.2, epsilonHigh: 0.3 };
const FULL: TrainedPart = { kind: 'full' };
const SCALE = TINY_LORA.lora.alpha / TINY_LORA.lora.rank;

const CASES: [string, LossSettings, TrainedPart][] = [
  ['cross entropy, adapters', { kind: 'sft' }, TINY_LORA],
  ['cross entropy, all weights', { kind: 'sft' }, FULL],
  ['CISPO, all weights', CISPO, FULL],
  ...(['token', 'sequence', 'average', 'geometric_average'] as const).flatMap(
    (level): [string, LossSettings, TrainedPart][] => [
      [`CISPO by ${level}`, { ...CISPO, level }, TINY_LORA],
      [`PPO by ${level}`, { ...PPO, level }, TINY_LORA],
    ],
  ),
  ['CISPO with a pull to the old policy', { ...CISPO, tau: 0.3 }, TINY_LORA],
  ['CISPO with truncated importance sampling', { ...CISPO, truncation: 1.1 }, TINY_LORA],
  ['PPO with truncated importance sampling', { ...PPO, truncation: 1.1 }, TINY_LORA],
  ['PPO with a limited ratio', { ...PPO, maxRatio: 1.05 }, TINY_LORA],
  [
    'PPO without tokens outside the range',
    { ...PPO, epsilon: 0.5, epsilonHigh: 0.9, maskOutsideClip: true },
    TINY_LORA,
  ],
];

/** Log-probabilities of each sequence's trained tokens under `parameters`, by the plain decoder. */
function plainScores(part: TrainedPart, parameters: ArrayLike<number>): number[][] {
  const weights = new Map(plainWeights(tinyWeights()));
  const all = Array.from(parameters);
  for (const { name, offset, size } of trainedLayout(TINY_DECODER, part).slots) {
    weights.set(name, all.slice(offset, offset + size));
  }
  return tinyRow().map(({ ids, trained }) => {
    const distributions = plainLogProbabilities(TINY_DECODER, weights, ids, SCALE);
    return Array.from(trained, (at) => distributions[at - 1]?.[ids[at] as number] as number);
  });
}

function lossRow(lps: number[][]): LossSequence[] {
  return tinyRow().map(({ old, advantage, weight, drift }, index) => ({
    lp: lps[index] as number[],
    old: old ?? [],
    advantage: advantage ?? [],
    weight,
    drift: drift ?? [],
  }));
}

describe('the graph of a gradient step', () => {
  it.each(CASES)('%s: loss and gradient agree with the loss functions', async (_name, loss, part) => {
    const parameters = tinyParameters(part);
    const found = await runOnce(loss, part, parameters);
    const lps = plainScores(part, parameters);
    const expected = rowLoss(loss, lossRow(lps));
    expect(Math.abs(found.loss - expected.loss)).toBeLessThan(1e-5 * Math.abs(expected.loss));
    found.lp.forEach((value, at) => expect(Math.abs(value - (lps.flat()[at] as number))).toBeLessThan(1e-5));

    // One direction per trained tensor: a wrong gradient of any of them shows.
    const directions = oneDirectionPerTensor(part);
    const coefficients = expected.coefficients.flatMap((values) => Array.from(values));
    const slopes = directions.map((direction) => {
      const movedLps = (offset: number) =>
        plainScores(
          part,
          Array.from(parameters, (value, i) => value + offset * direction(i)),
        ).flat();
      const [up, down] = [movedLps(1e-5), movedLps(-1e-5)];
      return coefficients.reduce(
        (sum, value, at) => sum - (value * ((up[at] as number) - (down[at] as number))) / 2e-5,
        0,
      );
    });
    const analytic = directions.map((direction) =>
      found.gradient.reduce((sum, value, i) => sum + value * direction(i), 0),
    );
    expect(cosine(analytic, slopes)).toBeGreaterThan(0.9999);
  });
});

function oneDirectionPerTensor(part: TrainedPart): ((index: number) => number)[] {
  const { slots, size } = trainedLayout(TINY_DECODER, part);
  const numbers = someNumbers(size, 9);
  return slots.map(
    (slot) => (index) =>
      index >= slot.offset && index < slot.offset + slot.size ? (numbers[index] as number) / Math.sqrt(slot.size) : 0,
  );
}

async function runOnce(loss: LossSettings, part: TrainedPart, parameters: Float32Array) {
  const settings = { config: TINY_DECODER, part, loss, optimiser: OPTIMISER };
  const session = await openSession(buildTrainGraph(settings, 'accumulate'), 1);
  const row = tinyRow();
  const batch = { members: [0, 1, 2], length: 16 };
  const size = [parameters.length];
  const frozen = [...tinyWeights()]
    .filter(([name]) => session.inputNames.includes(name))
    .map(([name, { data, shape }]): [string, Tensor] => [name, new Tensor('float32', data, shape)]);
  const results = await session.run({
    ...Object.fromEntries(frozen),
    ...new MicroBatchFeeds(TINY_DECODER, loss).feed(row, batch, 'loss'),
    parameters: new Tensor('float32', parameters, size),
    gradientSoFar: new Tensor('float32', new Float32Array(parameters.length), size),
  });
  await session.release();
  return {
    loss: Number(results['loss']?.data[0]),
    lp: Array.from(results['lp']?.data as Float32Array),
    gradient: Array.from(results['gradient']?.data as Float32Array),
  };
}

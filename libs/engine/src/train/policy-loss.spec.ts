import { Tensor } from 'onnxruntime-node';

import { someNumbers } from '../autodiff/gradient-check.fixture.js';
import { gradients } from '../autodiff/index.js';
import * as ops from '../graph/index.js';
import { encodeGraph, Graph } from '../graph/index.js';
import { type LossSequence, type RlLoss, rowLoss } from '../loss/index.js';
import { openSession } from '../runtime/session.js';
import { emitPolicyLoss } from './policy-loss.js';
import { CISPO, tinyRow } from './tiny-decoder.fixture.js';

const LEVELS = ['token', 'sequence', 'average', 'geometric_average'] as const;
const VARIATIONS: Partial<RlLoss>[] = [
  {},
  { tau: 0.3 },
  { truncation: 1.1 },
  { maxRatio: 1.05 },
  { maskOutsideClip: true, epsilon: 0.5, epsilonHigh: 0.9 },
  { tau: 0.1, truncation: 1.5, maxRatio: 2, maskOutsideClip: true, epsilon: 0.9, epsilonHigh: 3 },
];
const CASES = [CISPO, { ...CISPO, lossFn: 'ppo', epsilon: 0.2, epsilonHigh: 0.3 } satisfies RlLoss].flatMap((base) =>
  LEVELS.flatMap((level) =>
    VARIATIONS.map((more): [string, RlLoss] => [
      `${base.lossFn} by ${level} with ${JSON.stringify(more)}`,
      { ...base, level, ...more },
    ]),
  ),
);

const ROW: LossSequence[] = tinyRow().map(({ trained, weight, old, advantage, drift }, index) => ({
  lp: someNumbers(trained.length, 70 + index).map((value) => -2.3 + value / 2),
  weight,
  old: old ?? [],
  advantage: advantage ?? [],
  drift: drift ?? [],
}));

/** The graph of the loss alone, and its gradient by each log-probability. */
async function runGraph(loss: RlLoss): Promise<{ loss: number; coefficients: number[] }> {
  const graph = new Graph();
  const input = (name: string) => graph.input(name, 'float32', ['predictions']);
  const lp = input('lp');
  const tokens = { old: input('old'), advantage: input('advantage'), weight: input('weight') };
  const total = emitPolicyLoss(graph, loss, lp, tokens);
  const [gradient] = gradients(graph, total, [lp]);
  graph.output('loss', total);
  graph.output('gradient', ops.reshape(graph, gradient!, ['predictions']));
  const session = await openSession(encodeGraph(graph), 1);
  const all = (name: keyof LossSequence) => ROW.flatMap((sequence) => Array.from(sequence[name]));
  const count = all('lp').length;
  const floats = (values: number[]) => new Tensor('float32', Float32Array.from(values), [values.length]);
  const sequenceOf = ROW.flatMap((sequence, index) => Array.from(sequence.lp, () => index));
  const averaging = ROW.flatMap(({ lp: own }, index) =>
    sequenceOf.map((sequence) => (sequence === index ? 1 / own.length : 0)),
  );
  const feeds = {
    lp: floats(all('lp')),
    old: floats(all('old')),
    advantage: floats(all('advantage')),
    weight: floats(all('weight')),
    driftRatio: floats(all('drift')),
    averaging: new Tensor('float32', Float32Array.from(averaging), [ROW.length, count]),
    sequenceOf: new Tensor('int64', BigInt64Array.from(sequenceOf, BigInt), [count]),
  };
  const wanted = Object.fromEntries(Object.entries(feeds).filter(([name]) => session.inputNames.includes(name)));
  const results = await session.run(wanted);
  await session.release();
  const numbers = (name: string) => Array.from(results[name]?.data as Float32Array);
  return { loss: numbers('loss')[0]!, coefficients: numbers('gradient').map((value) => -value) };
}

describe('the coefficients of the embedded engine', () => {
  it.each(CASES)('are those that other engines are sent, one by one: %s', async (_name, settings) => {
    const found = await runGraph(settings);
    const expected = rowLoss(settings, ROW);
    expect(Math.abs(found.loss - expected.loss)).toBeLessThan(1e-5);
    const sent = expected.coefficients.flatMap((values) => Array.from(values));
    expect(found.coefficients.length).toBe(sent.length);
    sent.forEach((value, at) => expect(Math.abs((found.coefficients[at] as number) - value)).toBeLessThan(1e-5));
    expect(sent.some((value) => Math.abs(value) > 1e-3)).toBe(true);
  });
});

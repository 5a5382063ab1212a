import { Tensor } from 'onnxruntime-node';

import { someNumbers } from '../autodiff/gradient-check.fixture.js';
import { encodeGraph, Graph } from '../graph/index.js';
import { openSession } from '../runtime/session.js';
import { type AdamWSettings, emitAdamW } from './adam-w.js';

const SIZE = 6;
const SETTINGS: AdamWSettings = { beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0.1, maxGradientNorm: 0.1 };
const RATE = 0.05;

interface Vectors {
  parameters: number[];
  firstMoment: number[];
  secondMoment: number[];
}

async function graphSteps(settings: AdamWSettings, gradients: number[][]): Promise<Vectors & { norms: number[] }> {
  const graph = new Graph();
  const input = (name: string) => graph.input(name, 'float32', [SIZE]);
  emitAdamW(graph, settings, {
    parameters: input('parameters'),
    firstMoment: input('firstMoment'),
    secondMoment: input('secondMoment'),
    gradient: input('gradient'),
  });
  const session = await openSession(encodeGraph(graph), 1);
  let state = start();
  const norms: number[] = [];
  for (const [index, gradient] of gradients.entries()) {
    const vectors = Object.entries({ ...state, gradient }).map(([name, data]) => [
      name,
      new Tensor('float32', data, [SIZE]),
    ]);
    const scalars = {
      learningRate: RATE,
      correction1: 1 - settings.beta1 ** (index + 1),
      correction2: 1 - settings.beta2 ** (index + 1),
    };
    const feeds = Object.entries(scalars).map(([name, value]) => [name, new Tensor('float32', [value], [])]);
    const results = await session.run(Object.fromEntries([...vectors, ...feeds]));
    const vector = (name: string) => Array.from(results[name]?.data as Float32Array);
    state = {
      parameters: vector('newParameters'),
      firstMoment: vector('newFirstMoment'),
      secondMoment: vector('newSecondMoment'),
    };
    norms.push(Number(results['gradientNorm']?.data[0]));
  }
  await session.release();
  return { ...state, norms };
}

const start = (): Vectors => ({
  parameters: someNumbers(SIZE),
  firstMoment: Array(SIZE).fill(0),
  secondMoment: Array(SIZE).fill(0),
});

/** The same steps, element by element in float64. */
function plainSteps(settings: AdamWSettings, gradients: number[][]): Vectors {
  const { beta1, beta2, epsilon, weightDecay, maxGradientNorm } = settings;
  const { parameters, firstMoment, secondMoment } = start();
  gradients.forEach((raw, index) => {
    const norm = Math.hypot(...raw);
    const factor = norm > maxGradientNorm ? maxGradientNorm / (norm + 1e-6) : 1;
    raw.forEach((value, at) => {
      const gradient = value * factor;
      firstMoment[at] = beta1 * (firstMoment[at] as number) + (1 - beta1) * gradient;
      secondMoment[at] = beta2 * (secondMoment[at] as number) + (1 - beta2) * gradient * gradient;
      const first = firstMoment[at] / (1 - beta1 ** (index + 1));
      const second = secondMoment[at] / (1 - beta2 ** (index + 1));
      const decayed = (parameters[at] as number) * (1 - RATE * weightDecay);
      parameters[at] = decayed - (RATE * first) / (Math.sqrt(second) + epsilon);
    });
  });
  return { parameters, firstMoment, secondMoment };
}

describe('AdamW in the graph', () => {
  const small = [1, 2, 3].map((seed) => someNumbers(SIZE, seed).map((value) => value * 0.01));
  const large = [1, 2, 3].map((seed) => someNumbers(SIZE, seed).map((value) => value * 10));

  it.each([
    ['small gradients', SETTINGS, small],
    ['gradients above the limit', SETTINGS, large],
    ['no decay', { ...SETTINGS, weightDecay: 0 }, large],
  ])('takes the steps of the formula: %s', async (_name, settings, gradients) => {
    const { norms, ...found } = await graphSteps(settings, gradients);
    const expected = plainSteps(settings, gradients);
    (Object.keys(expected) as (keyof Vectors)[]).forEach((name) =>
      found[name].forEach((value, at) => expect(value).toBeCloseTo(expected[name][at] as number, 5)),
    );
    norms.forEach((norm, at) => expect(norm).toBeCloseTo(Math.hypot(...(gradients[at] as number[])), 4));
  });
});

import { Tensor } from 'onnxruntime-node';

import { encodeGraph, Graph, multiply, sum, type Value } from '../graph/index.js';
import { openSession } from '../runtime/session.js';
import { gradients } from './gradients.js';

/** An input of the function under test: differentiable floats, or indices that are held fixed. */
export type Argument = { shape: number[]; floats: number[] } | { shape: number[]; integers: number[] };

/** Numbers in (-1, 1) that look random and are the same in every run. */
export function someNumbers(count: number, seed = 1): number[] {
  return Array.from({ length: count }, (_, index) => {
    const wave = Math.sin((index + 1) * 12.9898 + seed * 78.233) * 43758.5453;
    return (wave - Math.floor(wave)) * 2 - 1;
  });
}

export const floats = (shape: number[], seed = 1): Argument => ({
  shape,
  floats: someNumbers(
    shape.reduce((product, size) => product * size, 1),
    seed,
  ),
});

/**
 * The cosine between the graph's own gradient and central differences, over all float arguments, of
 * `sum(build(...) * fixed weights)`.
 */
export async function gradientCosine(
  args: Argument[],
  build: (graph: Graph, values: Value[]) => Value,
  step = 1e-2,
): Promise<number> {
  const graph = new Graph();
  const inputs = args.map((arg, index) => graph.input(`x${index}`, 'floats' in arg ? 'float32' : 'int64', arg.shape));
  const result = build(graph, inputs);
  const size = (result.shape as number[]).reduce((product, dim) => product * dim, 1);
  const weights = graph.constant(Float32Array.from(someNumbers(size, 7)), result.shape as number[]);
  const loss = sum(
    graph,
    multiply(graph, result, weights),
    result.shape.map((_, axis) => axis),
  );
  const differentiable = inputs.filter((input) => input.type === 'float32');
  gradients(graph, loss, differentiable).forEach((gradient, index) => graph.output(`d${index}`, gradient));
  graph.output('loss', loss);
  const session = await openSession(encodeGraph(graph), 1);
  const run = (changed: Argument[]) =>
    session.run(Object.fromEntries(changed.map((arg, index) => [`x${index}`, toTensor(arg)])));

  const exact = await run(args);
  const analytic = differentiable.flatMap((_, index) => Array.from(exact[`d${index}`]?.data as Float32Array));
  const numeric: number[] = [];
  for (const [index, arg] of args.entries()) {
    if (!('floats' in arg)) continue;
    for (const position of arg.floats.keys()) {
      const lossAt = async (offset: number) => {
        const moved = arg.floats.map((value, at) => (at === position ? value + offset : value));
        const { loss: tensor } = await run(args.with(index, { ...arg, floats: moved }));
        return Number(tensor?.data[0]);
      };
      numeric.push(((await lossAt(step)) - (await lossAt(-step))) / (2 * step));
    }
  }
  await session.release();
  return cosine(analytic, numeric);
}

function toTensor(arg: Argument): Tensor {
  return 'floats' in arg
    ? new Tensor('float32', Float32Array.from(arg.floats), arg.shape)
    : new Tensor('int64', BigInt64Array.from(arg.integers, BigInt), arg.shape);
}

/** 1 when the vectors are equal up to rounding; scaled by the ratio of their lengths, so that a factor shows. */
export function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]) =>
    x.reduce((total, value, i) => total + value * (y[i] ?? NaN), 0);
  const [aa, bb] = [dot(a, a), dot(b, b)];
  return (dot(a, b) / Math.sqrt(aa * bb)) * Math.sqrt(Math.min(aa, bb) / Math.max(aa, bb));
}

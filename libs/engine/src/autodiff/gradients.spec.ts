import { Tensor } from 'onnxruntime-node';

import * as ops from '../graph/index.js';
import { encodeGraph, Graph, type Value } from '../graph/index.js';
import { openSession } from '../runtime/session.js';
import { type Argument, floats, gradientCosine, someNumbers } from './gradient-check.fixture.js';
import { gradients } from './gradients.js';

type Build = (graph: Graph, values: Value[]) => Value;

const two =
  (op: (graph: Graph, a: Value, b: Value) => Value): Build =>
  (graph, [a, b]) =>
    op(graph, a as Value, b as Value);
const one =
  (op: (graph: Graph, a: Value) => Value): Build =>
  (graph, [a]) =>
    op(graph, a as Value);
/** Values in (1, 3): away from where a function is steep or not defined. */
const positive = (shape: number[], seed = 1): Argument => {
  const argument = floats(shape, seed) as { shape: number[]; floats: number[] };
  return { shape, floats: argument.floats.map((value) => value + 2) };
};
const rows: Argument = { shape: [4], integers: [2, 0, 2, 1] };

const CASES: [string, Argument[], Build][] = [
  ['a sum', [floats([2, 3]), floats([2, 3], 2)], two(ops.add)],
  ['a sum stretched over rows', [floats([2, 3]), floats([3], 2)], two(ops.add)],
  ['a sum stretched over columns', [floats([2, 1]), floats([2, 3], 2)], two(ops.add)],
  ['a difference', [floats([2, 3]), floats([1, 3], 2)], two(ops.subtract)],
  ['a product', [floats([2, 3]), floats([], 2)], two(ops.multiply)],
  ['a quotient', [floats([2, 3]), positive([2, 1], 2)], two(ops.divide)],
  ['a minimum', [floats([3, 3]), floats([3, 3], 2)], two(ops.minimum)],
  ['a maximum', [floats([3, 3]), floats([3, 3], 2)], two(ops.maximum)],
  ['a negation', [floats([4])], one(ops.negate)],
  ['an exponential', [floats([4])], one(ops.exponential)],
  ['a square root', [positive([4])], one(ops.squareRoot)],
  ['a sigmoid', [floats([4])], one(ops.sigmoid)],
  ['silu', [floats([5])], one(ops.silu)],
  ['gelu', [floats([5])], one(ops.gelu)],
  ['a soft cap', [floats([5])], one((graph, a) => ops.softCap(graph, a, 0.7))],
  ['a clip', [floats([9])], one((graph, a) => ops.clip(graph, a, -0.5, 0.4))],
  [
    'a choice',
    [floats([6]), floats([6], 2)],
    two((graph, a, b) => ops.where(graph, ops.greater(graph, ops.stopGradient(graph, a), 0), a, b)),
  ],
  ...[false, true].flatMap((transA) =>
    [false, true].map((transB): [string, Argument[], Build] => [
      `a product of matrices, transposed ${transA}, ${transB}`,
      [floats(transA ? [2, 4, 3] : [2, 3, 4]), floats(transB ? [2, 5, 4] : [2, 4, 5], 2)],
      two((graph, a, b) => ops.matMul(graph, a, b, { transA, transB, alpha: 0.5 })),
    ]),
  ),
  ...(['adaptedMatMul', 'matMulBesideAdapter'] as const).map((product): [string, Argument[], Build] => [
    `a product with a matrix and its adapter, ${product}`,
    [floats([3, 4]), floats([2, 4], 3), floats([5, 2], 4)],
    (graph, [x, a, b]) => {
      const weight = graph.constant(Float32Array.from(someNumbers(20)), [5, 4]);
      return ops[product](graph, x as Value, weight, { a: a as Value, b: b as Value, scale: 0.5 });
    },
  ]),
  ['a new shape', [floats([2, 6])], one((graph, a) => ops.reshape(graph, a, [2, 3, 2]))],
  ['a transposition', [floats([2, 3, 4])], one((graph, a) => ops.transpose(graph, a, [2, 0, 1]))],
  ['parts side by side', [floats([2, 3]), floats([2, 1], 2)], two((graph, a, b) => ops.concat(graph, [a, b], 1))],
  ['rows of a table, one of them twice', [floats([3, 2]), rows], two(ops.gatherRows)],
  ['different rows of a table', [floats([4, 2]), { shape: [2], integers: [3, 1] }], two(ops.gatherDifferentRows)],
  ['an element of each row', [floats([4, 3]), rows], two(ops.pickPerRow)],
  ['a sum over an axis', [floats([2, 3, 2])], one((graph, a) => ops.sum(graph, a, [1]))],
  ['a sum over an axis that stays', [floats([2, 3, 2])], one((graph, a) => ops.sum(graph, a, [0, 2], true))],
  ['a mean', [floats([2, 4])], one((graph, a) => ops.mean(graph, a, [1]))],
  ['softmax', [floats([2, 4])], one(ops.softmax)],
  ['log-softmax', [floats([2, 4])], one(ops.logSoftmax)],
  ['the norm', [floats([2, 3, 4]), floats([4], 2)], two((graph, a, b) => ops.rmsNorm(graph, a, b, 1e-5).result)],
  [
    'the rotation by position',
    [floats([2, 2, 3, 4])],
    one((graph, a) => {
      const tables = [Math.cos, Math.sin].map((f) =>
        graph.constant(
          Float32Array.from({ length: 8 }, (_, i) => f(i + 1)),
          [4, 2],
        ),
      );
      return ops.rotary(graph, a, graph.integers([0, 1, 2, 1, 2, 3], [2, 3]), ...(tables as [Value, Value]));
    }),
  ],
  [
    'a value used twice',
    [floats([2, 3])],
    one((graph, a) => ops.multiply(graph, ops.exponential(graph, a), ops.sigmoid(graph, a))),
  ],
];

describe('gradients', () => {
  it.each(CASES)('of %s agrees with central differences', async (_name, args, build) => {
    expect(await gradientCosine(args, build)).toBeGreaterThan(0.9999);
  });

  it('gives a tie of minimum and maximum to the first operand alone', async () => {
    for (const op of [ops.minimum, ops.maximum]) {
      const graph = new Graph();
      const x = graph.input('x', 'float32', []);
      const y = graph.input('y', 'float32', []);
      const [dx, dy] = gradients(graph, op(graph, x, y), [x, y]) as [Value, Value];
      graph.output('dx', dx);
      graph.output('dy', dy);
      expect(await valuesAt(graph, { x: 3, y: 3 })).toEqual({ dx: 1, dy: 0 });
    }
  });

  it('lets nothing through a stopped gradient', async () => {
    const graph = new Graph();
    const x = graph.input('x', 'float32', []);
    const [dx] = gradients(graph, ops.multiply(graph, x, ops.stopGradient(graph, x)), [x]) as [Value];
    graph.output('dx', dx);
    expect(await valuesAt(graph, { x: 3 })).toEqual({ dx: 3 });
  });

  it('names a parameter on which the loss does not depend', () => {
    const graph = new Graph();
    const [x, y] = [graph.input('x', 'float32', []), graph.input('y', 'float32', [])];
    expect(() => gradients(graph, ops.negate(graph, x), [y])).toThrow('The loss does not depend on y.');
  });
});

async function valuesAt(graph: Graph, inputs: Record<string, number>): Promise<Record<string, number>> {
  const session = await openSession(encodeGraph(graph), 1);
  const feeds = Object.entries(inputs).map(([name, value]) => [name, new Tensor('float32', [value], [])]);
  const results = await session.run(Object.fromEntries(feeds));
  return Object.fromEntries(Object.entries(results).map(([name, tensor]) => [name, Number(tensor.data[0])]));
}

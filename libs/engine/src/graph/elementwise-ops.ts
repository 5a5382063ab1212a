import type { Graph } from './graph.js';
import { type DataType, type Dim, GraphShapeError, type Value } from './value.js';

/**
 * The shape of two operands of an elementwise operator together: aligned at the right, a missing or 1
 * dimension stretched to the other's (NumPy's rule).
 */
function broadcastShapes(op: string, a: readonly Dim[], b: readonly Dim[]): Dim[] {
  const rank = Math.max(a.length, b.length);
  return Array.from({ length: rank }, (_, index) => {
    const left = a[index - rank + a.length] ?? 1;
    const right = b[index - rank + b.length] ?? 1;
    if (left === right || right === 1) return left;
    if (left === 1) return right;
    throw new GraphShapeError(op, a, b);
  });
}

const binary =
  (op: string, type: DataType = 'float32') =>
  (graph: Graph, a: Value, b: Value | number): Value => {
    const right = typeof b === 'number' ? graph.constant(b) : b;
    return graph.node(op, [a, right], type, broadcastShapes(op, a.shape, right.shape));
  };

const unary =
  (op: string, type: DataType = 'float32') =>
  (graph: Graph, value: Value): Value =>
    graph.node(op, [value], type, value.shape);

export const add = binary('Add');
export const subtract = binary('Sub');
export const multiply = binary('Mul');
export const divide = binary('Div');
export const minimum = binary('Min');
export const maximum = binary('Max');
export const greater = binary('Greater', 'bool');
export const less = binary('Less', 'bool');
export const lessOrEqual = binary('LessOrEqual', 'bool');
export const both = binary('And', 'bool');

export const negate = unary('Neg');
export const exponential = unary('Exp');
export const squareRoot = unary('Sqrt');
export const sigmoid = unary('Sigmoid');
export const hyperbolicTangent = unary('Tanh');
export const isNaN = unary('IsNaN', 'bool');

/** `sg(x)`: the value itself, through which no gradient flows. */
export const stopGradient = unary('StopGradient');

/** `value` limited to [low, high]; the gradient is 0 outside and 1 inside, both bounds included. */
export function clip(graph: Graph, value: Value, low: number, high: number): Value {
  return graph.node('Clip', [value, graph.constant(low), graph.constant(high)], 'float32', value.shape);
}

/** `yes` where the condition holds, else `no`. */
export function where(graph: Graph, condition: Value, yes: Value | number, no: Value | number): Value {
  const [left, right] = [yes, no].map((value) => (typeof value === 'number' ? graph.constant(value) : value));
  const shape = broadcastShapes('Where', (left as Value).shape, (right as Value).shape);
  return graph.node(
    'Where',
    [condition, left as Value, right as Value],
    'float32',
    broadcastShapes('Where', condition.shape, shape),
  );
}

import type { Graph, Value } from '../graph/index.js';
import * as ops from '../graph/index.js';
import { type Backward, ofFirst, type Rule, type Rules } from './rule.js';

/** Sums a gradient over the dimensions along which its operand was stretched. */
function unbroadcast(graph: Graph, gradient: Value, like: Value): Value {
  const extra = gradient.shape.length - like.shape.length;
  const leading = Array.from({ length: extra }, (_, axis) => axis);
  const dropped = ops.sum(graph, gradient, leading);
  const stretched = like.shape.flatMap((dim, axis) => (dim === 1 && dropped.shape[axis] !== 1 ? [axis] : []));
  return ops.sum(graph, dropped, stretched, true);
}

const binary =
  (left: (backward: Backward) => Value, right: (backward: Backward) => Value): Rule =>
  (backward) =>
    [left, right].map((gradient, index) =>
      backward.needs(index) ? unbroadcast(backward.graph, gradient(backward), backward.inputs[index] as Value) : null,
    );

/**
 * The smaller (or larger) operand takes the whole gradient. At a tie it goes to the first alone: shared
 * out to both it would double what flows on when they come from one value.
 */
const choice = (firstWins: (graph: Graph, a: Value, b: Value) => Value): Rule => {
  const taken = ({ graph, inputs }: Backward) => firstWins(graph, inputs[0] as Value, inputs[1] as Value);
  return binary(
    (backward) => ops.where(backward.graph, taken(backward), backward.gradient, 0),
    (backward) => ops.where(backward.graph, taken(backward), 0, backward.gradient),
  );
};

const times = (graph: Graph, a: Value, b: Value | number) => ops.multiply(graph, a, b);

export const ELEMENTWISE_RULES: Rules = {
  Add: binary(
    ({ gradient }) => gradient,
    ({ gradient }) => gradient,
  ),
  Sub: binary(
    ({ gradient }) => gradient,
    ({ graph, gradient }) => ops.negate(graph, gradient),
  ),
  Mul: binary(
    ({ graph, gradient, inputs }) => times(graph, gradient, inputs[1] as Value),
    ({ graph, gradient, inputs }) => times(graph, gradient, inputs[0] as Value),
  ),
  Div: binary(
    ({ graph, gradient, inputs }) => ops.divide(graph, gradient, inputs[1] as Value),
    ({ graph, gradient, inputs, output }) =>
      ops.negate(graph, ops.divide(graph, times(graph, gradient, output), inputs[1] as Value)),
  ),
  Min: choice(ops.lessOrEqual),
  Max: choice((graph, a, b) => ops.lessOrEqual(graph, b, a)),
  Neg: ofFirst(({ graph, gradient }) => ops.negate(graph, gradient)),
  Exp: ofFirst(({ graph, gradient, output }) => times(graph, gradient, output)),
  Sqrt: ofFirst(({ graph, gradient, output }) => ops.divide(graph, gradient, times(graph, output, 2))),
  Sigmoid: ofFirst(({ graph, gradient, output }) =>
    times(graph, gradient, times(graph, output, ops.subtract(graph, graph.constant(1), output))),
  ),
  Tanh: ofFirst(({ graph, gradient, output }) =>
    times(graph, gradient, ops.subtract(graph, graph.constant(1), times(graph, output, output))),
  ),
  Clip: ofFirst(({ graph, gradient, inputs, output }) => {
    // Inside the bounds, themselves included, clipping changes nothing.
    const inside = graph.node('Equal', [inputs[0] as Value, output], 'bool', output.shape);
    return ops.where(graph, inside, gradient, 0);
  }),
  Where: (backward) => {
    const { graph, gradient, inputs } = backward;
    const [condition, yes, no] = inputs as readonly [Value, Value, Value];
    return [
      null,
      backward.needs(1) ? unbroadcast(graph, ops.where(graph, condition, gradient, 0), yes) : null,
      backward.needs(2) ? unbroadcast(graph, ops.where(graph, condition, 0, gradient), no) : null,
    ];
  },
};

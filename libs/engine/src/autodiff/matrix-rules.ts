import type { Value } from '../graph/index.js';
import * as ops from '../graph/index.js';
import { type Backward, numberAttribute, type Rules } from './rule.js';

/** For `y = alpha op(a) op(b)`: `da = alpha dy op(b)^T` and `db = alpha op(a)^T dy`, each transposed back when `op` transposes. */
function productGradients(backward: Backward): (Value | null)[] {
  const { graph, gradient, node, inputs } = backward;
  const [a, b] = inputs as readonly [Value, Value];
  const transA = numberAttribute(node, 'transA') === 1;
  const transB = numberAttribute(node, 'transB') === 1;
  const alpha = numberAttribute(node, 'alpha');
  const ofA = () =>
    transA
      ? ops.matMul(graph, b, gradient, { transA: transB, transB: true, alpha })
      : ops.matMul(graph, gradient, b, { transB: !transB, alpha });
  const ofB = () =>
    transB
      ? ops.matMul(graph, gradient, a, { transA: true, transB: transA, alpha })
      : ops.matMul(graph, a, gradient, { transA: !transA, alpha });
  return [backward.needs(0) ? ofA() : null, backward.needs(1) ? ofB() : null];
}

export const MATRIX_RULES: Rules = {
  FusedMatMul: productGradients,
  // y = alpha a op(b) + sum.
  Gemm: (backward) => [...productGradients(backward), backward.needs(2) ? backward.gradient : null],
  // With y = x (W + s b a)^T: dx = dy (W + s b a), da = s (dy b)^T x, db = s dy^T (x a^T).
  AdaptedMatMul: (backward) => {
    const { graph, gradient, node, inputs } = backward;
    const [x, merged, a, b] = inputs as readonly [Value, Value, Value, Value];
    const alpha = numberAttribute(node, 'adapterScale');
    const ofA = () => ops.matMul(graph, ops.matMul(graph, gradient, b), x, { transA: true, alpha });
    const ofB = () => ops.matMul(graph, gradient, ops.matMul(graph, x, a, { transB: true }), { transA: true, alpha });
    return [
      backward.needs(0) ? ops.matMul(graph, gradient, merged) : null,
      null,
      backward.needs(2) ? ofA() : null,
      backward.needs(3) ? ofB() : null,
    ];
  },
};

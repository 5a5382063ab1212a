import * as ops from '../graph/index.js';
import type { Value } from '../graph/index.js';
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
  Gemm: (backward) => [...productGradients(backward), backward.needs(2) ? backward.gradient : null],
};

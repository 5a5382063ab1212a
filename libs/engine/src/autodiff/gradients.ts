import type { Graph, GraphNode, Value } from '../graph/index.js';
import { add } from '../graph/index.js';
import { DECODER_RULES } from './decoder-rules.js';
import { ELEMENTWISE_RULES } from './elementwise-rules.js';
import { MATRIX_RULES } from './matrix-rules.js';
import { REDUCTION_RULES } from './reduction-rules.js';
import type { Rules } from './rule.js';
import { SHAPE_RULES } from './shape-rules.js';

const RULES: Rules = {
  ...ELEMENTWISE_RULES,
  ...MATRIX_RULES,
  ...SHAPE_RULES,
  ...REDUCTION_RULES,
  ...DECODER_RULES,
};

/**
 * Reverse-mode differentiation: appends to the graph what computes the gradient of a scalar with
 * respect to each of `parameters`, in their order and shapes.
 *
 * @param seed the gradient of the scalar itself. With one in the shape of a value that is no scalar, the results are
 *   products of this vector and the Jacobian.
 * @throws Error an operator between them and the loss has no rule, or the loss does not depend on a parameter
 */
export function gradients(
  graph: Graph,
  loss: Value,
  parameters: readonly Value[],
  seed: Value = graph.constant(1),
): Value[] {
  const forward = [...graph.nodes];
  const wanted = dependents(forward, parameters);
  const found = new Map<string, Value>([[loss.name, seed]]);
  for (const node of forward.reverse()) {
    const gradient = found.get((node.outputs[0] as Value).name);
    if (gradient !== undefined && wanted.has((node.outputs[0] as Value).name)) {
      differentiate(graph, node, gradient, wanted, found);
    }
  }
  return parameters.map((parameter) => {
    const gradient = found.get(parameter.name);
    if (gradient === undefined) throw new Error(`The loss does not depend on ${parameter.name}.`);
    return gradient;
  });
}

/** Names of the values that depend on `parameters`: only these need gradients. */
function dependents(forward: readonly GraphNode[], parameters: readonly Value[]): Set<string> {
  const names = new Set(parameters.map((parameter) => parameter.name));
  for (const node of forward) {
    if (node.op !== 'StopGradient' && node.inputs.some((input) => names.has(input.name))) {
      node.outputs.forEach((output) => names.add(output.name));
    }
  }
  return names;
}

function differentiate(
  graph: Graph,
  node: GraphNode,
  gradient: Value,
  wanted: ReadonlySet<string>,
  found: Map<string, Value>,
): void {
  const rule = RULES[node.op];
  if (rule === undefined) throw new Error(`${node.op} has no rule of differentiation.`);
  const needs = (index: number) => wanted.has(node.inputs[index]?.name ?? '');
  const output = node.outputs[0] as Value;
  rule({ graph, node, inputs: node.inputs, output, gradient, needs }).forEach((contribution, index) => {
    if (contribution === null || !needs(index)) return;
    const { name } = node.inputs[index] as Value;
    const others = found.get(name);
    found.set(name, others === undefined ? contribution : add(graph, others, contribution));
  });
}

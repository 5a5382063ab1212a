import type { Graph } from './graph.js';
import type { Value } from './value.js';

/** Makes `value` an input of the graph, called `name`, instead of the result of the node that computes it. */
export function feedInstead(graph: Graph, name: string, value: Value): void {
  const index = graph.nodes.findIndex((node) => node.outputs.some((output) => output.name === value.name));
  const fed = graph.input(name, value.type, value.shape);
  graph.nodes[index] = { op: 'Identity', domain: '', inputs: [fed], outputs: [value], attributes: {} };
}

/** Removes nodes, inputs and constants on which no output depends: the runtime would compute them, or ask for them. */
export function prune(graph: Graph): void {
  const used = new Set(graph.outputs.map(({ value }) => value.name));
  const nodes = graph.nodes.toReversed().filter((node) => {
    const isUsed = node.outputs.some((output) => used.has(output.name));
    if (isUsed) node.inputs.forEach((input) => used.add(input.name));
    return isUsed;
  });
  replace(graph.nodes, nodes.reverse());
  replace(
    graph.inputs,
    graph.inputs.filter(({ name }) => used.has(name)),
  );
  replace(
    graph.constants,
    graph.constants.filter(({ value }) => used.has(value.name)),
  );
}

const replace = <T>(list: T[], items: readonly T[]): void => void list.splice(0, list.length, ...items);

import type { Graph, GraphNode, Value } from '../graph/index.js';

/** What a rule gets: the node of the forward pass and the gradient of the loss with respect to its first output. */
export interface Backward {
  readonly graph: Graph;
  readonly node: GraphNode;
  readonly inputs: readonly Value[];
  readonly output: Value;
  readonly gradient: Value;
  /** Whether the gradient of input `index` is needed: a rule computes no other. */
  needs(index: number): boolean;
}

/** The gradient of the loss with respect to each input of a node; null if it is not needed or does not exist. */
export type Rule = (backward: Backward) => readonly (Value | null)[];

export type Rules = Readonly<Record<string, Rule>>;

/** A rule for a node with one differentiable input, the first. */
export const ofFirst =
  (gradient: (backward: Backward) => Value): Rule =>
  (backward) => [gradient(backward)];

/** The attribute `name` of the node as a number. */
export function numberAttribute(node: GraphNode, name: string): number {
  const value = node.attributes[name];
  if (typeof value === 'number') return value;
  if (typeof value === 'object' && 'float' in value) return value.float;
  throw new Error(`${node.op} has no number called ${name}.`);
}

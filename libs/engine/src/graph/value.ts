/** A number known when the graph is written, or the name of one known when it runs, such as `tokens`. */
export type Dim = number | string;

export type DataType = 'float32' | 'int64' | 'bool' | 'uint8';

/** A tensor that flows through a graph: an input, a constant, or what a node computes. */
export interface Value {
  readonly name: string;
  readonly type: DataType;
  readonly shape: readonly Dim[];
}

export type Attribute = number | string | readonly number[] | { readonly float: number };

/** One operator of the graph. `domain` is empty for standard ONNX. */
export interface GraphNode {
  readonly op: string;
  readonly domain: string;
  readonly inputs: readonly Value[];
  readonly outputs: readonly Value[];
  readonly attributes: Readonly<Record<string, Attribute>>;
}

/** Data of the graph itself: written into it, or beside it where it is large. */
export interface Constant {
  readonly value: Value;
  readonly data: ConstantData;
}

export type ConstantData = Float32Array | BigInt64Array | Uint8Array;

export class GraphShapeError extends Error {
  constructor(op: string, ...shapes: (readonly Dim[])[]) {
    super(`${op} cannot take shapes ${shapes.map((shape) => `[${shape.join(', ')}]`).join(' and ')}.`);
    this.name = new.target.name;
  }
}

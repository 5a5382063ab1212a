import type { Attribute, Constant, ConstantData, DataType, Dim, GraphNode, Value } from './value.js';

interface NodeOptions {
  readonly attributes?: Readonly<Record<string, Attribute>>;
  /** `com.microsoft` for the operators that only ONNX Runtime has. */
  readonly domain?: string;
}

/**
 * An ONNX graph under construction. Nodes are appended in the order in which they run; every
 * operator is a function in this folder that takes the graph, checks shapes and appends a node.
 */
export class Graph {
  readonly inputs: Value[] = [];
  readonly constants: Constant[] = [];
  readonly nodes: GraphNode[] = [];
  readonly outputs: { name: string; value: Value }[] = [];
  private readonly made = new Map<string, Value>();
  private counter = 0;

  /** A tensor that the caller feeds at each run. A name in `shape` stands for a size known only then. */
  input(name: string, type: DataType, shape: readonly Dim[]): Value {
    const value = { name, type, shape };
    this.inputs.push(value);
    return value;
  }

  /** Makes `value` an output of the graph under `name`. */
  output(name: string, value: Value): void {
    this.outputs.push({ name, value });
  }

  /** A float constant: a number, or a tensor of the given shape. Equal numbers share one constant. */
  constant(data: number | Float32Array, shape: readonly number[] = []): Value {
    if (typeof data !== 'number') return this.newConstant(data, 'float32', shape);
    return this.once(`float ${data} ${shape.join()}`, () => this.newConstant(Float32Array.of(data), 'float32', shape));
  }

  /** A constant of bytes. */
  bytes(data: Uint8Array, shape: readonly number[]): Value {
    return this.newConstant(data, 'uint8', shape);
  }

  /** An int64 constant, a vector unless `shape` says otherwise. Equal ones are shared. */
  integers(data: readonly number[], shape: readonly number[] = [data.length]): Value {
    return this.once(`int64 ${data.join()} [${shape.join()}]`, () =>
      this.newConstant(BigInt64Array.from(data, BigInt), 'int64', shape),
    );
  }

  /** Appends an operator with one output. */
  node(op: string, inputs: readonly Value[], type: DataType, shape: readonly Dim[], options: NodeOptions = {}): Value {
    return this.append(op, inputs, [{ type, shape }], options)[0] as Value;
  }

  /** Appends an operator with several outputs. */
  append(
    op: string,
    inputs: readonly Value[],
    results: readonly Pick<Value, 'type' | 'shape'>[],
    { attributes = {}, domain = '' }: NodeOptions = {},
  ): readonly Value[] {
    const outputs = results.map((result) => ({ ...result, name: this.freshName(op) }));
    this.nodes.push({ op, domain, inputs, outputs, attributes });
    return outputs;
  }

  /** The size that the symbolic dimension `name` has in this run, as an int64 vector of one. */
  size(name: string): Value {
    const source = this.inputs.find((input) => input.shape.includes(name));
    if (source === undefined) throw new Error(`No input has a dimension called ${name}.`);
    return this.once(`size ${name}`, () => {
      const axis = source.shape.indexOf(name);
      return this.node('Shape', [source], 'int64', [1], { attributes: { start: axis, end: axis + 1 } });
    });
  }

  /** What `make` returned the first time it was called for `key`. */
  once(key: string, make: () => Value): Value {
    const found = this.made.get(key);
    if (found !== undefined) return found;
    const value = make();
    this.made.set(key, value);
    return value;
  }

  protected addConstant(constant: Constant): Value {
    this.constants.push(constant);
    return constant.value;
  }

  private newConstant(data: ConstantData, type: DataType, shape: readonly number[]): Value {
    return this.addConstant({ value: { name: this.freshName('constant'), type, shape }, data });
  }

  private freshName(op: string): string {
    this.counter += 1;
    return `${op}_${this.counter}`;
  }
}

import protobuf from 'protobufjs/light.js';

import type { Graph } from './graph.js';
import { ONNX_SCHEMA } from './onnx-schema.js';
import type { Attribute, Constant, DataType, Dim, GraphNode, Value } from './value.js';

const ModelProto = protobuf.Root.fromJSON(ONNX_SCHEMA).lookupType('ModelProto');

const IR_VERSION = 10;
const OPSET = 20;
/** `TensorProto.DataType`. */
const ELEMENT_TYPE: Record<DataType, number> = { float32: 1, uint8: 2, int64: 7, bool: 9 };
/** `TensorProto.DataLocation`. */
const EXTERNAL = 1;
/** `AttributeProto.AttributeType`. */
const FLOAT = 1;
const INT = 2;
const STRING = 3;
const INTS = 7;

/** Where the data of a constant is, if not in the graph's own bytes: `length` bytes of a file beside it. */
export interface ExternalPlace {
  readonly file: string;
  readonly offset: number;
  readonly length: number;
}

export interface EncodeOptions {
  /** Where the data of a constant is; null, which is the default: in the graph's own bytes. */
  readonly placeOf?: (constant: Constant) => ExternalPlace | null;
  /** Whether inputs and outputs say their shapes. Default true. */
  readonly hasShapes?: boolean;
}

/** The graph as the bytes of an ONNX ModelProto. The same graph gives the same bytes. */
export function encodeGraph(graph: Graph, { placeOf = () => null, hasShapes = true }: EncodeOptions = {}): Uint8Array {
  const toInfo = hasShapes ? toValueInfo : toBareInfo;
  // Outputs get their public names from an Identity each: one value may be several outputs.
  const named: GraphNode[] = graph.outputs.map(({ name, value }) => ({
    op: 'Identity',
    domain: '',
    inputs: [value],
    outputs: [{ ...value, name }],
    attributes: {},
  }));
  const message = {
    irVersion: IR_VERSION,
    producerName: 'hone',
    opsetImport: [
      { domain: '', version: OPSET },
      { domain: 'com.microsoft', version: 1 },
    ],
    graph: {
      name: 'hone',
      node: [...graph.nodes, ...named].map(toNodeProto),
      initializer: graph.constants.map((constant) => toTensorProto(constant, placeOf(constant))),
      input: graph.inputs.map(toInfo),
      output: graph.outputs.map(({ name, value }) => toInfo({ ...value, name })),
    },
  };
  return ModelProto.encode(message).finish();
}

/** Operators with a gradient of their own, and the runtime's operator that computes them. */
const PLAIN_FORMS: Readonly<Record<string, (node: GraphNode) => GraphNode>> = {
  StopGradient: (node) => ({ ...node, op: 'Identity' }),
  AdaptedMatMul: ({ inputs, attributes: { adapterScale: _scale, ...attributes }, ...node }) => ({
    ...node,
    op: 'FusedMatMul',
    inputs: inputs.slice(0, 2),
    attributes,
  }),
};

function toNodeProto(written: GraphNode): object {
  const node = PLAIN_FORMS[written.op]?.(written) ?? written;
  return {
    opType: node.op,
    domain: node.domain,
    name: node.outputs[0]?.name,
    input: node.inputs.map((value) => value.name),
    output: node.outputs.map((value) => value.name),
    attribute: Object.entries(node.attributes).map(([name, value]) => ({ name, ...toAttributeProto(value) })),
  };
}

function toAttributeProto(value: Attribute): object {
  if (typeof value === 'number') return { type: INT, i: value };
  if (typeof value === 'string') return { type: STRING, s: Buffer.from(value) };
  if ('float' in value) return { type: FLOAT, f: value.float };
  return { type: INTS, ints: [...value] };
}

function toTensorProto({ value, data }: Constant, place: ExternalPlace | null): object {
  const head = { name: value.name, dataType: ELEMENT_TYPE[value.type], dims: value.shape };
  if (place === null) return { ...head, rawData: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) };
  const { file, offset, length } = place;
  const entries = Object.entries({ location: file, offset, length });
  const externalData = entries.map(([key, text]) => ({ key, value: String(text) }));
  return { ...head, externalData, dataLocation: EXTERNAL };
}

function toValueInfo({ name, type, shape }: Value): object {
  return { name, type: { tensorType: { elemType: ELEMENT_TYPE[type], shape: { dim: shape.map(toDimension) } } } };
}

function toBareInfo({ name, type }: Value): object {
  return { name, type: { tensorType: { elemType: ELEMENT_TYPE[type] } } };
}

const toDimension = (dim: Dim) => (typeof dim === 'number' ? { dimValue: dim } : { dimParam: dim });

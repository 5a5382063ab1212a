import { BYTES_PER_FLOAT, type FloatFormat } from '../float-formats.js';
import { type BlockFormat, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0 } from './small-blocks.js';
import { Q4_K, Q5_K, Q6_K } from './super-blocks.js';

/** How the numbers of a tensor are packed. A pack is the smallest unit; a row is a whole number of packs. */
export interface TensorType {
  readonly name: string;
  readonly packNumbers: number;
  readonly packBytes: number;
  /** Null: the numbers are floats. */
  readonly blocks: BlockFormat | null;
  /** Null: they are in blocks. */
  readonly floats: FloatFormat | null;
}

const floatType = (name: FloatFormat): TensorType => {
  return { name, packNumbers: 1, packBytes: BYTES_PER_FLOAT[name], blocks: null, floats: name };
};
const block = (name: string, blocks: BlockFormat): TensorType => {
  return { name, packNumbers: blocks.packNumbers, packBytes: blocks.packBytes, blocks, floats: null };
};

/** By `enum ggml_type` (https://github.com/ggml-org/ggml/blob/master/include/ggml.h). */
export const TENSOR_TYPES: ReadonlyMap<number, TensorType> = new Map([
  [0, floatType('F32')],
  [1, floatType('F16')],
  [2, block('Q4_0', Q4_0)],
  [3, block('Q4_1', Q4_1)],
  [6, block('Q5_0', Q5_0)],
  [7, block('Q5_1', Q5_1)],
  [8, block('Q8_0', Q8_0)],
  [12, block('Q4_K', Q4_K)],
  [13, block('Q5_K', Q5_K)],
  [14, block('Q6_K', Q6_K)],
  [30, floatType('BF16')],
]);

const BY_NAME = new Map(Array.from(TENSOR_TYPES.values(), (type) => [type.name, type]));

/** The type of a name that a TensorType has, or a FloatFormat. */
export function tensorTypeNamed(name: string): TensorType {
  const type = BY_NAME.get(name);
  if (type === undefined) throw new Error(`There is no type ${name}.`);
  return type;
}

/** Names of types that are not read, for the refusal. */
const OTHER_TYPES: Readonly<Record<number, string>> = {
  ...{ 9: 'Q8_1', 10: 'Q2_K', 11: 'Q3_K', 15: 'Q8_K', 16: 'IQ2_XXS', 17: 'IQ2_XS', 18: 'IQ3_XXS', 19: 'IQ1_S' },
  ...{ 20: 'IQ4_NL', 21: 'IQ3_S', 22: 'IQ2_S', 23: 'IQ4_XS', 24: 'I8', 25: 'I16', 26: 'I32', 27: 'I64', 28: 'F64' },
  ...{ 29: 'IQ1_M', 34: 'TQ1_0', 35: 'TQ2_0', 39: 'MXFP4' },
};

export const typeName = (type: number): string => TENSOR_TYPES.get(type)?.name ?? OTHER_TYPES[type] ?? `${type}`;

export {
  type BlockMatrix,
  bytesOf,
  isBlockMatrix,
  type StoredTensor,
  type StoredWeights,
  zeroCode,
} from './block-matrix.js';
export { dequantise, dequantiseRow, dequantiseRows, toFloats } from './dequantise.js';
export { DequantiseMemory } from './dequantise-memory.js';
export { canQuantise, quantise } from './quantise.js';
export { inForm, isKept, WEIGHT_FORMS, type WeightForm } from './weight-form.js';

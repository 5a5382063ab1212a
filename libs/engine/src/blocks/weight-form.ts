import { isBlockMatrix, type StoredTensor } from './block-matrix.js';
import { toFloats } from './dequantise.js';
import { canQuantise, quantise } from './quantise.js';

/** Forms in which a base model's matrices are held; `auto`: as its files have them. */
export const WEIGHT_FORMS = ['auto', 'f32', 'int8', 'int4'] as const;
export type WeightForm = (typeof WEIGHT_FORMS)[number];

/**
 * A weight in the wanted form. Vectors, and matrices whose rows cannot be cut into blocks, stay float32; blocks of fewer
 * bits than wanted stay what they are.
 *
 * @param isHead the matrix makes logits: of 4 bits they would lose the most, so it gets 8
 */
export function inForm(tensor: StoredTensor, form: WeightForm, isHead = false): StoredTensor {
  if (form === 'auto') return tensor;
  if (form === 'f32') return toFloats(tensor);
  if (isBlockMatrix(tensor) && isKept(tensor.bits, form, isHead)) return tensor;
  const floats = toFloats(tensor);
  const bits = bitsOf(form, isHead);
  return canQuantise(floats, bits) ? quantise(floats, bits) : floats;
}

/** Whether blocks of this many bits are kept as they are, see {@link inForm}. */
export function isKept(bits: 4 | 8, form: WeightForm, isHead: boolean): boolean {
  if (form === 'auto') return true;
  return form !== 'f32' && bits <= bitsOf(form, isHead);
}

const bitsOf = (form: 'int8' | 'int4', isHead: boolean) => (form === 'int8' || isHead ? 8 : 4);

import type { FloatTensor, Weights } from '../tensor.js';

/** One trained tensor and its offset in the flat vector. */
interface ParameterSlot {
  readonly name: string;
  readonly shape: readonly number[];
  /** Index of its first element. */
  readonly offset: number;
  readonly size: number;
}

/**
 * The trained tensors laid end to end. The optimiser works on this one vector: a dozen operators in
 * all, instead of a dozen for each of a hundred small tensors.
 */
export class ParameterLayout {
  readonly slots: readonly ParameterSlot[];
  /** Elements of all tensors together. */
  readonly size: number;

  constructor(tensors: readonly { name: string; shape: readonly number[] }[]) {
    let offset = 0;
    this.slots = tensors.map(({ name, shape }) => {
      const size = shape.reduce((product, dim) => product * dim, 1);
      offset += size;
      return { name, shape, offset: offset - size, size };
    });
    this.size = offset;
  }

  /** The flat vector of the tensors that `weights` holds under the names of this layout. */
  flatten(weights: Weights): Float32Array {
    const flat = new Float32Array(this.size);
    for (const slot of this.slots) {
      const tensor = weights.get(slot.name);
      if (tensor?.data.length !== slot.size) throw new Error(`No tensor ${slot.name} of ${slot.size} elements.`);
      flat.set(tensor.data, slot.offset);
    }
    return flat;
  }

  /** The tensors in a flat vector, as views of it. */
  unflatten(flat: Float32Array): Map<string, FloatTensor> {
    return new Map(
      this.slots.map(({ name, shape, offset, size }) => [name, { shape, data: flat.subarray(offset, offset + size) }]),
    );
  }
}

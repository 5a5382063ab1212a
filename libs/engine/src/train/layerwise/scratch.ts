/**
 * Float arrays that are reused, by name. The garbage collector would free discarded arrays late: the process would hold
 * those of several passes.
 */
export class Scratch {
  private readonly arrays = new Map<string, Float32Array>();

  /** An array of `length` numbers with any content. The array of the last call with this name becomes invalid. */
  take(name: string, length: number): Float32Array {
    let array = this.arrays.get(name);
    if (array === undefined || array.length < length) {
      array = new Float32Array(length);
      this.arrays.set(name, array);
    }
    return array.subarray(0, length);
  }
}

/**
 * Float arrays that are used again and again, by name. The garbage collector would return such arrays late: the
 * process would hold those of several passes.
 */
export class Scratch {
  private readonly arrays = new Map<string, Float32Array>();

  /** `length` numbers, whatever was in them; those of the last call with this name are no longer the caller's. */
  take(name: string, length: number): Float32Array {
    let array = this.arrays.get(name);
    if (array === undefined || array.length < length) {
      array = new Float32Array(length);
      this.arrays.set(name, array);
    }
    return array.subarray(0, length);
  }
}

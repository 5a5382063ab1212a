import { TestEnvironment } from 'jest-environment-node';

const NUMBER_ARRAYS = [
  Int8Array,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
];

/**
 * Jest's Node environment with the typed arrays of the process itself. A test file runs in a realm of
 * its own, whose Float32Array is another than the one that a native addon makes: ONNX Runtime's
 * tensors would be refused as "not a Float32Array".
 */
export default class NodeEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    for (const type of NUMBER_ARRAYS) this.global[type.name] = type;
  }
}

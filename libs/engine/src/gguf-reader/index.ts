export { GgufFile } from './gguf-file.js';
export { shown } from './gguf-reader.errors.js';
export type { MetadataValue } from './metadata-value.js';
export { emptyTensor, widenRow } from './stored-tensor.js';
export type { GgufTensorInfo } from './tensor-infos.js';
export { ggufTensorName, rotaryRowOrder } from './tensor-names.js';
export { tensorTypeNamed, type TensorType } from './tensor-types.js';

export { exportGguf } from './export-gguf.js';
export { GgufUnsupportedError } from './gguf.errors.js';

export { importGguf } from './import-gguf.js';

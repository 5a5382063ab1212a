export { exportGguf } from './export-gguf.js';

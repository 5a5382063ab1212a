export { EngineError } from './errors.js';
export type { FloatTensor, Weights } from './tensor.js';
export * from './plan/index.js';
export * from './job/index.js';
export * from './model/index.js';
export * from './checkpoints/index.js';
export * from './gguf/index.js';
export * from './serve/index.js';
export * from './answers/index.js';

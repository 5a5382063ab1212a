export { EngineError } from './errors.js';
export type { FloatTensor, Weights } from './tensor.js';
export * from './plan/index.js';
export * from './job/index.js';

export { EmbeddingEngine, type EmbeddingEngineOptions, type OpenEmbeddingModel } from './embedding-engine.js';
export type { EmbeddingInfo } from './embedding-model.js';
export { type EmbeddingFormat } from './written-embedding.js';

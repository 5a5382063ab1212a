export { BaseModelFolders, type BaseModelScan, stateOfFolder } from './base-model-folders.js';
export { BaseModel, openBaseModel, openRemoteModel, type RemoteModel } from './base-model.js';
export type { ChatMessage } from './template/chat-message.js';
export { ChatTemplateError, RoleNotSupportedError } from './template/chat-template.errors.js';
export { type EncodeChatOptions } from './template/chat-template.js';
export { type DecoderShape, readDecoderShape } from './config/decoder-shape.js';
export { locateEmbedding } from './weights/embedding-rows.js';
export { takeEmbeddingFiles } from './embedding/embedding-files.js';
export {
  type EmbeddingFolder,
  isEmbeddingFolder,
  readEmbeddingFolder,
  type Shortened,
} from './embedding/embedding-folder.js';
export { type Pooling, POOLINGS, writePooling } from './embedding/pooling-config.js';
export { findBaseModel, type BaseModelSources, isModelId } from './find-base-model.js';
export { type DownloadProgress, HubClient } from './hub/hub-client.js';
export { fetchHubModel } from './hub/hub-model.js';
export { HubUnavailableError } from './hub/hub.errors.js';
export { listBaseModels } from './list-base-models.js';
export type { LlamaConfig } from './config/llama-config.js';
export { longestTokenBytes } from './tokenizer/longest-token.js';
export { BaseModelDamagedError, BaseModelIdError, BaseModelUnsupportedError } from './config/model.errors.js';
export type { OpenBaseModelOptions } from './model-folder.js';
export { DEFAULT_MAX_PARAMS, readLlamaConfig } from './config/read-config.js';
export { countParameters, tensorShapes } from './config/tensor-shapes.js';
export { TokenizerSlowError } from './tokenizer/tokenizer.errors.js';
export { ModelTokenizer } from './tokenizer/tokenizer.js';
export { WordPieceTokenizer } from './tokenizer/word-piece/word-piece-tokenizer.js';
export { Vocabulary } from './tokenizer/vocabulary.js';
export { weightsInForm } from './weights/weights-in-form.js';
export { assertWeightsFit, hasBlockWeights, loadStoredWeights, loadWeights } from './weights/weights.js';
export { writeDurably } from './weights/durable-file.js';
export { findJsonFields } from './config/json-fields.js';
export { hashFile } from './hash-files.js';

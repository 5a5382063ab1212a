export { BaseModelFolders, type BaseModelScan, type RefusedBaseModel, stateOfFolder } from './base-model-folders.js';
export { BaseModel, isModelFolder, openBaseModel, openRemoteModel, type RemoteModel } from './base-model.js';
export type { ChatMessage } from './template/chat-message.js';
export {
  ChatTemplateError,
  ChatTemplateMissingError,
  ConversationTooLongError,
  RoleNotSupportedError,
} from './template/chat-template.errors.js';
export { ChatTemplate, type EncodeChatOptions } from './template/chat-template.js';
export { type DecoderShape, readDecoderShape } from './config/decoder-shape.js';
export { type EmbeddingPlace, locateEmbedding } from './weights/embedding-rows.js';
export { findBaseModel, type BaseModelSources, isModelId } from './find-base-model.js';
export { DEFAULT_HUB_URL, type DownloadProgress, HubClient, type HubClientOptions } from './hub/hub-client.js';
export { fetchHubModel } from './hub/hub-model.js';
export { HubFileMissingError, HubUnavailableError } from './hub/hub.errors.js';
export { IncrementalText, type DecodeOptions } from './tokenizer/incremental-text.js';
export { listBaseModels } from './list-base-models.js';
export type { LlamaConfig, RopeScaling } from './config/llama-config.js';
export { longestTokenBytes } from './tokenizer/longest-token.js';
export {
  BaseModelDamagedError,
  BaseModelIdError,
  BaseModelNotFoundError,
  BaseModelTooLargeError,
  BaseModelUnsupportedError,
  TensorMissingError,
  TensorShapeError,
  TensorTypeError,
} from './config/model.errors.js';
export type { OpenBaseModelOptions } from './model-folder.js';
export { DEFAULT_MAX_PARAMS, readLlamaConfig } from './config/read-config.js';
export { countParameters, tensorShapes } from './config/tensor-shapes.js';
export { TokenizerSlowError, TokenizerUnsupportedError } from './tokenizer/tokenizer.errors.js';
export { ModelTokenizer } from './tokenizer/tokenizer.js';
export { Vocabulary } from './tokenizer/vocabulary.js';
export { weightsInForm } from './weights/weights-in-form.js';
export { assertWeightsFit, hasBlockWeights, loadStoredWeights, loadWeights } from './weights/weights.js';
export { writeDurably } from './weights/durable-file.js';
export { findJsonFields } from './config/json-fields.js';
export { hashFile } from './hash-files.js';

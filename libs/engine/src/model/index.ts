export { BaseModelFolders, type BaseModelScan, type RefusedBaseModel, stateOfFolder } from './base-model-folders.js';
export { BaseModel, isModelFolder, openBaseModel, openRemoteModel, type RemoteModel } from './base-model.js';
export type { ChatMessage } from './chat-message.js';
export {
  ChatTemplateError,
  ChatTemplateMissingError,
  ConversationTooLongError,
  RoleNotSupportedError,
} from './chat-template.errors.js';
export { ChatTemplate, type EncodeChatOptions } from './chat-template.js';
export { type DecoderShape, readDecoderShape } from './decoder-shape.js';
export { type EmbeddingPlace, locateEmbedding } from './embedding-rows.js';
export { findBaseModel, type BaseModelSources, isModelId } from './find-base-model.js';
export { DEFAULT_HUB_URL, type DownloadProgress, HubClient, type HubClientOptions } from './hub-client.js';
export { fetchHubModel } from './hub-model.js';
export { HubFileMissingError, HubUnavailableError } from './hub.errors.js';
export { IncrementalText, type DecodeOptions } from './incremental-text.js';
export { listBaseModels } from './list-base-models.js';
export type { LlamaConfig, RopeScaling } from './llama-config.js';
export { longestTokenBytes } from './longest-token.js';
export {
  BaseModelDamagedError,
  BaseModelIdError,
  BaseModelNotFoundError,
  BaseModelTooLargeError,
  BaseModelUnsupportedError,
  TensorMissingError,
  TensorShapeError,
  TensorTypeError,
} from './model.errors.js';
export type { OpenBaseModelOptions } from './model-folder.js';
export { DEFAULT_MAX_PARAMS, readLlamaConfig } from './read-config.js';
export { countParameters, tensorShapes } from './tensor-shapes.js';
export { TokenizerSlowError, TokenizerUnsupportedError } from './tokenizer.errors.js';
export { ModelTokenizer } from './tokenizer.js';
export { Vocabulary } from './vocabulary.js';
export { weightsInForm } from './weights-in-form.js';
export { assertWeightsFit, hasBlockWeights, loadStoredWeights, loadWeights } from './weights.js';
export { writeDurably } from './durable-file.js';
export { findJsonFields } from './json-fields.js';
export { hashFile } from './hash-files.js';

export * from './audio.dto.js';
export * from './chat-combinations.js';
export type * from './chat-completion-chunk.js';
export * from './chat-completion.dto.js';
export * from './chat-completions.dto.js';
export type { ChatMessage, ContentPart } from './chat-messages.js';
export {
  type AllowedTools,
  calledOf,
  type ChatFunction,
  type ChatTool,
  isAllowedTools,
  type NamedTool,
  type ToolChoice,
} from './chat-tools.js';
export * from './completions.dto.js';
export * from './embeddings.dto.js';
export { fallbackNames, MAX_FALLBACKS, type NamedModels } from './fallback-models.js';
export * from './gateway-state.dto.js';
export * from './images.dto.js';
export * from './legacy-functions.js';
export * from './messages.dto.js';
export { MODEL_KINDS, type ModelKind } from './model-kind.js';
export * from './prompt-object.js';
export * from './prompt-reference.dto.js';
export * from './request-id.js';
export * from './responses.dto.js';
export * from './structured-outputs.dto.js';
export { isInputList } from './text-or-tokens.js';
export * from './usage-queries.dto.js';
export * from './usage.dto.js';
export * from './usage-limits.dto.js';
export * from './upstreams-file.dto.js';
export * from './dispatch-limits.dto.js';
export * from './route.dto.js';
export * from './upstream.dto.js';

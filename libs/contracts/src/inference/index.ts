export * from './chat-combinations.js';
export * from './chat-completion.dto.js';
export * from './chat-completions.dto.js';
export type { ChatMessage, ContentPart } from './chat-messages.js';
export type { ChatTool, ToolChoice } from './chat-tools.js';
export * from './request-id.js';
export * from './structured-outputs.dto.js';
export * from './usage.dto.js';
export * from './usage-limits.dto.js';

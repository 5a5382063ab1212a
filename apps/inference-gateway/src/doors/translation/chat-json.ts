/** A chat completion as upstreams write it: fields beyond the interface's, and some that are absent. */
export interface Completion {
  readonly created?: unknown;
  readonly model?: unknown;
  readonly choices: readonly CompletionChoice[];
  readonly usage?: ChatUsage | null;
}

export interface CompletionChoice {
  readonly message: ChatDelta;
  readonly finish_reason?: string | null;
  readonly stop_reason?: string | number | null;
  readonly logprobs?: ChatLogprobs | null;
}

/** A chunk of a streamed chat completion. */
export interface Chunk {
  readonly created?: unknown;
  readonly model?: unknown;
  readonly choices?: readonly ChunkChoice[] | null;
  readonly usage?: ChatUsage | null;
}

export interface ChunkChoice {
  readonly delta?: ChatDelta | null;
  readonly finish_reason?: string | null;
  readonly stop_reason?: string | number | null;
  readonly logprobs?: ChatLogprobs | null;
}

/** What a message, or a part of one, holds. */
export interface ChatDelta {
  readonly content?: string | null;
  readonly refusal?: string | null;
  /** Of vLLM, OpenRouter and the embedded engine. */
  readonly reasoning?: string | null;
  /** Of DeepSeek's API, and of vLLM before it had `reasoning`. */
  readonly reasoning_content?: string | null;
  readonly tool_calls?: readonly ChatToolCall[] | null;
}

export interface ChatToolCall {
  readonly index?: number;
  readonly id?: string | null;
  readonly type?: string | null;
  readonly function?: { readonly name?: string | null; readonly arguments?: string | null } | null;
  /** What the upstream wants back with the call, such as Gemini's signature of its thoughts. */
  readonly extra_content?: Readonly<Record<string, unknown>> | null;
  readonly custom?: { readonly name?: string | null; readonly input?: string | null } | null;
}

export interface ChatLogprobs {
  readonly content?: readonly object[] | null;
}

export interface ChatUsage {
  readonly prompt_tokens?: number;
  readonly completion_tokens?: number;
  readonly total_tokens?: number;
  readonly prompt_tokens_details?: { readonly cached_tokens?: number; readonly cache_write_tokens?: number } | null;
  readonly completion_tokens_details?: { readonly reasoning_tokens?: number } | null;
}

/** What the model wrote before its answer, under the name that its upstream has for it. */
export const reasoningOf = ({ reasoning, reasoning_content: content }: ChatDelta): string | null =>
  reasoning ?? content ?? null;

type Json = Record<string, unknown>;

/** Reads an answer in the form of a door as the chat completion that it is. One object reads one answer. */
export interface ChatTranslator {
  /** Chunks that an event becomes; empty: a chat completion has nothing of the kind. */
  chunks(event: Json): Json[];
  /** The chat completion that a whole answer is. */
  whole(answer: Json): Json;
}

/** Members that all chunks of an answer have in common. */
export interface ChatHead {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  readonly model: unknown;
}

/** A chunk with one choice, which is the only one. */
export const toChunk = (head: ChatHead, delta: Json, more: Json = {}): Json => ({
  ...head,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, logprobs: null, finish_reason: null, ...more }],
});

export const toUsageChunk = (head: ChatHead, usage: Json): Json => ({
  ...head,
  object: 'chat.completion.chunk',
  choices: [],
  usage,
});

export const toCompletion = (head: ChatHead, message: Json, more: Json, usage: Json | null): Json => ({
  ...head,
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, logprobs: null, ...more }],
  ...(usage && { usage }),
});

/** Counts of an answer as chat completions have them. */
export interface ChatCounts {
  /** Of the whole prompt. */
  readonly prompt: number;
  readonly completion: number;
  readonly cached: number;
  readonly cacheWrite: number;
  readonly reasoning: number;
}

export const toUsage = ({ prompt, completion, cached, cacheWrite, reasoning }: ChatCounts): Json => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
  prompt_tokens_details: { cached_tokens: cached, ...(cacheWrite > 0 && { cache_write_tokens: cacheWrite }) },
  completion_tokens_details: { reasoning_tokens: reasoning },
});

/** A count of an answer; 0: it is none. */
export const countOf = (value: unknown): number =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : 0;

/** A text of an answer; empty: it is none. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

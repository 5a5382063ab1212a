import type { ChoiceLogprobsDto, CompletionUsageDto, FunctionCallDto } from './chat-completion.dto.js';

/** A part of a tool call: the first part of each has its id and name, all parts of one have the same index. */
export interface ToolCallDelta {
  /** Position among the tool calls of the choice, from 0. */
  readonly index: number;
  /** Absent after the first part. */
  readonly id?: string;
  /** Always `function`; absent after the first part. */
  readonly type?: string;
  /** The name comes first, then pieces of the arguments to be joined. */
  readonly function?: Partial<FunctionCallDto>;
}

/** What one chunk adds to the message of a choice. */
export interface MessageDelta {
  /** `assistant`, in the first chunk of a choice. */
  readonly role?: string;
  /** The next piece of the text. */
  readonly content?: string | null;
  /** The next piece of what the model wrote before its answer. */
  readonly reasoning?: string;
  /** Why the model refuses to answer. */
  readonly refusal?: string | null;
  /** The next pieces of tool calls. */
  readonly tool_calls?: readonly ToolCallDelta[];
}

/** One choice in a chunk. */
export interface ChunkChoice {
  /** Position among the choices, from 0. */
  readonly index: number;
  /** What is new. */
  readonly delta: MessageDelta;
  /** Log-probabilities of the tokens of this chunk. Null or absent: they were not asked for. */
  readonly logprobs?: ChoiceLogprobsDto | null;
  /** Why the answer ended; null until then. */
  readonly finish_reason: string | null;
  /** Ids of the tokens of this chunk. Absent: not asked for. */
  readonly token_ids?: readonly number[];
}

/** One event of a streamed chat completion. */
export interface ChatCompletionChunk {
  /** `chatcmpl-` and the id of the request; the same in all chunks. */
  readonly id: string;
  /** Always `chat.completion.chunk`. */
  readonly object: string;
  /** When the answer began, in Unix seconds. */
  readonly created: number;
  /** The model that answers. */
  readonly model: string;
  /** What is new in each choice; empty in the chunk that has the usage. */
  readonly choices: readonly ChunkChoice[];
  /** Tokens that the request used: in one chunk at the end, where `stream_options.include_usage` asks for it. */
  readonly usage?: CompletionUsageDto | null;
}

import { IsOptional } from 'class-validator';

import { Constrained } from '../schema/constraint.js';
import { Example } from '../schema/example.js';
import { AcceptsUnknownFields, Nested, RequiredUnless } from '../validation/rule.js';
import { IsFlag, IsInteger, IsJsonObject, IsNumber } from '../validation/rules.js';
import { CHAT_COMPLETION } from './chat-constraints.js';
import { type ChatMessage, IsMessages } from './chat-messages.js';
import {
  INT64,
  IsAnyText,
  IsAnyTextList,
  IsEngineArguments,
  IsLogitBias,
  IsLogprobCount,
  IsLongInteger,
  IsObjectList,
  IsStop,
  IsTokenIds,
  ListedDefault,
} from './chat-rules.js';
import {
  type ChatFunction,
  type ChatTool,
  type FunctionChoice,
  IsFunctionChoice,
  IsFunctions,
  IsToolChoice,
  IsTools,
  type ToolChoice,
} from './chat-tools.js';
import { IsFallbacks, IsModelNames } from './fallback-models.js';
import { PromptReferenceDto, unlessPrompted } from './prompt-reference.dto.js';
import { IsRequestId } from './request-id.js';
import { ResponseFormatDto, StructuredOutputsDto } from './structured-outputs.dto.js';

/** What a stream carries beside the answer. */
@AcceptsUnknownFields()
export class StreamOptionsDto {
  /** Whether a last frame carries the usage of the whole request. Absent or null: true. */
  @IsOptional() @ListedDefault(true) @IsFlag() include_usage?: boolean | null;
  /** Whether every frame carries the usage so far; needs `include_usage`. Absent or null: false. */
  @IsOptional() @ListedDefault(false) @IsFlag() continuous_usage_stats?: boolean | null;
}

/** Ends a choice that repeats a pattern of tokens. All 0: off. */
@AcceptsUnknownFields()
export class RepetitionDetectionDto {
  /** Longest pattern to look for, in tokens; 0: off. Absent or null: 0. */
  @IsOptional() @ListedDefault(0) @IsInteger({ min: 0 }) max_pattern_size?: number | null;
  /** Shortest pattern to look for, in tokens, at most `max_pattern_size`. Absent or null: 0. */
  @IsOptional() @ListedDefault(0) @IsInteger({ min: 0 }) min_pattern_size?: number | null;
  /** How many times in a row the pattern must occur, at least 2 unless detection is off. Absent or null: 0. */
  @IsOptional() @ListedDefault(0) @IsInteger({ min: 0 }) min_count?: number | null;
}

/**
 * Body of `POST /v1/chat/completions`. Null means absent in every optional field; a field that is not declared
 * here is accepted and passed on to upstreams.
 */
@AcceptsUnknownFields()
@Constrained({ schema: { ...CHAT_COMPLETION, ...unlessPrompted('messages', 'model') } })
@Example({ model: 'hone-tiny', messages: [{ role: 'user', content: 'repeat: cat' }], temperature: 0 })
export class ChatCompletionRequestDto {
  /** The conversation so far, at least one message; with a `prompt`, what comes after its messages, if anything does. */
  @RequiredUnless('prompt') @IsMessages() messages!: ChatMessage[];
  /** A route, an alias, or the reference of a trained model, 1 to 512 characters. Absent: the one that the `prompt` names. */
  @RequiredUnless('prompt') @IsAnyText({ min: 1, max: 512 }) model!: string;
  /** A prompt object whose messages come before the request's own. Absent or null: none. */
  @IsOptional() @Nested(() => PromptReferenceDto) prompt?: PromptReferenceDto | null;
  /** Randomness of the draw, 0 to 2; below 1e-5 the likeliest token is taken. Absent or null: 1. */
  @IsOptional() @IsNumber({ min: 0, max: 2 }) temperature?: number | null;
  /** Draw from the likeliest tokens that together have this probability, above 0 up to 1. Absent or null: 1. */
  @IsOptional() @IsNumber({ above: 0, max: 1 }) top_p?: number | null;
  /** Draw from this many likeliest tokens; 0 and -1: from all. Absent or null: from all. */
  @IsOptional() @IsInteger({ min: -1 }) top_k?: number | null;
  /** Draw from tokens that are at least this likely relative to the likeliest, 0 to 1. Absent or null: 0. */
  @IsOptional() @IsNumber({ min: 0, max: 1 }) min_p?: number | null;
  /** Taken off the logit of a token for each time it was generated, -2 to 2. Absent or null: 0. */
  @IsOptional() @ListedDefault(0) @IsNumber({ min: -2, max: 2 }) frequency_penalty?: number | null;
  /** Taken off the logit of a token once it was generated, -2 to 2. Absent or null: 0. */
  @IsOptional() @ListedDefault(0) @IsNumber({ min: -2, max: 2 }) presence_penalty?: number | null;
  /** Factor above 0; above 1 makes tokens of prompt and answer less likely. Absent or null: 1. */
  @IsOptional() @IsNumber({ above: 0 }) repetition_penalty?: number | null;
  /**
   * Decimal token id -> -100 to 100, added to the logit before sampling; at most 1,024 entries. Absent or null: none.
   */
  @IsOptional() @IsLogitBias() logit_bias?: Record<string, number> | null;
  /**
   * Whether the answer shows log-probabilities of its tokens, taken before temperature, penalties and bias. Absent or
   * null: false.
   */
  @IsOptional() @ListedDefault(false) @IsFlag() logprobs?: boolean | null;
  /**
   * How many likeliest tokens to show at each position; needs `logprobs`; -1: all, where the configuration allows it.
   * Absent or null: 0.
   */
  @IsOptional() @ListedDefault(0) @IsLogprobCount() top_logprobs?: number | null;
  /** How many likeliest tokens to show at each position of the prompt; cannot be streamed. Absent or null: none. */
  @IsOptional() @IsLogprobCount() prompt_logprobs?: number | null;
  /** Most tokens of one answer, at least 1. Absent or null: the rest of the context. */
  @IsOptional() @IsInteger({ min: 1 }) max_tokens?: number | null;
  /** Most tokens of one answer, at least 1; wins over `max_tokens`. Absent or null: `max_tokens`. */
  @IsOptional() @IsInteger({ min: 1 }) max_completion_tokens?: number | null;
  /** Tokens that an answer has before anything may end it, at most those asked for. Absent or null: 0. */
  @IsOptional() @ListedDefault(0) @IsInteger({ min: 0 }) min_tokens?: number | null;
  /** How many answers to generate, at least 1. Absent or null: 1. */
  @IsOptional() @ListedDefault(1) @IsInteger({ min: 1 }) n?: number | null;
  /** Seed of the draw, 64-bit. Equal seeds give equal answers; choice i uses seed + i; -1: random. */
  @IsOptional() @ListedDefault(0, 'Absent: another seed for each request.') @IsInteger(INT64) seed?: number | null;
  /** One text, or at most 64, that end the answer; 1 to 1,024 characters each. Absent or null: none. */
  @IsOptional() @ListedDefault([]) @IsStop() stop?: string | string[] | null;
  /** Ids of tokens that end the answer, at most 256. Absent or null: none. */
  @IsOptional() @ListedDefault([]) @IsTokenIds({ maxItems: 256 }) stop_token_ids?: number[] | null;
  /** Whether the answer contains the text that ended it. Absent or null: false. */
  @IsOptional() @ListedDefault(false) @IsFlag() include_stop_str_in_output?: boolean | null;
  /** Whether the answer goes on after the model's own end token. Absent or null: false. */
  @IsOptional() @ListedDefault(false) @IsFlag() ignore_eos?: boolean | null;
  /** Whether the answer leaves out the text of special tokens. Absent or null: true. */
  @IsOptional() @ListedDefault(true) @IsFlag() skip_special_tokens?: boolean | null;
  /** Whether special tokens that are shown are separated by blanks. Absent or null: true. */
  @IsOptional() @ListedDefault(true) @IsFlag() spaces_between_special_tokens?: boolean | null;
  /** Texts that the answer never contains, at most 256, 1 to 128 characters each. Absent or null: none. */
  @IsOptional() @IsAnyTextList({ min: 1, max: 128, maxItems: 256 }) bad_words?: string[] | null;
  /** The only tokens that the answer may have, at least one. Absent or null: all. */
  @IsOptional() @IsTokenIds({ minItems: 1 }) allowed_token_ids?: number[] | null;
  /** Whether the answer comes as server-sent events. Absent or null: false. */
  @IsOptional() @ListedDefault(false) @IsFlag() stream?: boolean | null;
  /** What a stream carries beside the answer; needs `stream`. Absent or null: the defaults. */
  @IsOptional() @Nested(() => StreamOptionsDto) stream_options?: StreamOptionsDto | null;
  /** Form of the answer in OpenAI's notation. Absent or null: any text. */
  @IsOptional() @Nested(() => ResponseFormatDto) response_format?: ResponseFormatDto | null;
  /** Form of the answer in the engine's own notation; excludes `response_format`. Absent or null: any text. */
  @IsOptional() @Nested(() => StructuredOutputsDto) structured_outputs?: StructuredOutputsDto | null;
  /** Tools that the model may call, with different names. Absent, null or empty: none. */
  @IsOptional() @IsTools() tools?: ChatTool[] | null;
  /**
   * `none`, `auto`, `required`, the one tool to call, or the `allowed_tools`: those of the tools that may be called; needs
   * `tools` unless it is `none`.
   */
  @IsOptional()
  @ListedDefault('none', 'Absent: auto when there are tools.')
  @IsToolChoice()
  tool_choice?: ToolChoice | null;
  /**
   * Functions that the model may call, in the older notation: the answer has `function_call`, one at most. Excludes
   * `tools`. Absent, null or empty: none.
   */
  @IsOptional() @IsFunctions() functions?: ChatFunction[] | null;
  /** `none`, `auto`, or the one of the `functions` to call. Absent or null: `auto` when there are functions. */
  @IsOptional() @IsFunctionChoice() function_call?: FunctionChoice | null;
  /** Whether one answer may hold several tool calls; false: at most one. Absent or null: true. */
  @IsOptional() @ListedDefault(true) @IsFlag() parallel_tool_calls?: boolean | null;
  /** Whether the answer shows the model's `reasoning`. Absent or null: true. */
  @IsOptional() @ListedDefault(true) @IsFlag() include_reasoning?: boolean | null;
  /**
   * Whether to search with beams instead of drawing; only upstreams whose engine can, and never streamed. Absent or
   * null: false.
   */
  @IsOptional() @ListedDefault(false) @IsFlag() use_beam_search?: boolean | null;
  /**
   * Exponent of the length by which beam search divides scores; above 1 favours longer answers; only upstreams. Absent
   * or null: 1.
   */
  @IsOptional() @ListedDefault(1) @IsNumber() length_penalty?: number | null;
  /** Keep this many tokens at the end of the prompt; -1: as many as the context has. Absent or null: all. */
  @IsOptional() @ListedDefault(4_611_686_018_427_388_000) @IsLongInteger(-1) truncate_prompt_tokens?: number | null;
  /** Whether the answer begins with the last message, when that is the assistant's. Absent or null: false. */
  @IsOptional() @ListedDefault(false) @IsFlag() echo?: boolean | null;
  /** Whether the tokenizer adds special tokens to those of the chat template. Absent or null: false. */
  @IsOptional() @ListedDefault(false) @IsFlag() add_special_tokens?: boolean | null;
  /** Whether the prompt ends with the template's start of an assistant message. Absent or null: true. */
  @IsOptional() @ListedDefault(true) @IsFlag() add_generation_prompt?: boolean | null;
  /**
   * Whether the answer continues the last message, which must be the assistant's; excludes `add_generation_prompt`.
   * Absent or null: false.
   */
  @IsOptional() @ListedDefault(false) @IsFlag() continue_final_message?: boolean | null;
  /** Chat template in Jinja; refused unless the route allows it. Absent or null: that of the model. */
  @IsOptional() @IsAnyText() chat_template?: string | null;
  /** Documents that the chat template may show the model, a JSON object each. Absent or null: none. */
  @IsOptional() @IsObjectList() documents?: Record<string, unknown>[] | null;
  /** Variables of the chat template: name -> any JSON; one that the template does not read is ignored. Absent or null: none. */
  @IsOptional() @IsJsonObject() chat_template_kwargs?: Record<string, unknown> | null;
  /** Arguments of an upstream's image or audio processor: name -> any JSON; only upstreams. Absent or null: none. */
  @IsOptional() @IsJsonObject() mm_processor_kwargs?: Record<string, unknown> | null;
  /** Parameters of an upstream's cache transfer: name -> any JSON; only upstreams. Absent or null: none. */
  @IsOptional() @IsJsonObject() kv_transfer_params?: Record<string, unknown> | null;
  /**
   * Further arguments of the upstream's engine, under its own names: a string, a number, or a list of them each. Absent
   * or null: none.
   */
  @IsOptional() @IsEngineArguments() engine_xargs?: Record<string, unknown> | null;
  /** Priority in the queue, 64-bit; a lower number runs first, not below the floor of the key. Absent or null: 0. */
  @IsOptional() @ListedDefault(0) @IsInteger(INT64) priority?: number | null;
  /**
   * Id of the request: 1 to 128 visible ASCII characters but `"` and `\`; the id of the answer is `chatcmpl-` and this.
   * Absent or null: `X-Request-Id`, else the gateway makes one.
   */
  @IsOptional() @IsRequestId() request_id?: string | null;
  /** Whether the answer shows `prompt_token_ids` and each choice's `token_ids`. */
  @IsOptional()
  @ListedDefault(true, 'Absent: ids are shown only beside the logprobs of a trained model.')
  @IsFlag()
  return_token_ids?: boolean | null;
  /** Whether log-probabilities name their tokens as `token_id:<id>`. */
  @IsOptional() @ListedDefault(true, 'Absent: tokens are shown as text.') @IsFlag() return_tokens_as_token_ids?:
    boolean | null;
  /**
   * Name of the caller's end user, at most 512 characters; the gateway keeps only a keyed hash. Absent or null: none.
   */
  @IsOptional() @IsAnyText({ max: 512 }) user?: string | null;
  /**
   * What the caller says of the request: the call that it becomes has it as `attributes.metadata`, unless it has more than
   * 16 KiB, and upstreams get it. Absent or null: nothing.
   */
  @IsOptional() @IsJsonObject() metadata?: Record<string, unknown> | null;
  /** Prompts share their cache only with prompts of the same salt, 1 to 128 characters. Absent or null: no salt. */
  @IsOptional() @IsAnyText({ min: 1, max: 128 }) cache_salt?: string | null;
  /** Ends answers that repeat themselves. Absent or null: off. */
  @IsOptional() @Nested(() => RepetitionDetectionDto) repetition_detection?: RepetitionDetectionDto | null;
  /**
   * Models to try, at most 9: after `model` or, where that is absent, in its place. The next one is tried only before
   * anything was sent. Absent or null: `model` alone.
   */
  @IsOptional() @IsModelNames() models?: string[] | null;
  /** Models to try after those, at most 8, each a name or `{"model": name}`. Absent or null: none. */
  @IsOptional() @IsFallbacks() fallbacks?: (string | { model: string })[] | null;
}

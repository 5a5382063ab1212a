import { IsOptional } from 'class-validator';

import { Example } from '../schema/example.js';
import { AcceptsUnknownFields, Nested } from '../validation/rule.js';
import { IsFlag, IsInteger, IsJsonObject, IsNumber } from '../validation/rules.js';
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
import { type ChatTool, IsToolChoice, IsTools, type ToolChoice } from './chat-tools.js';
import { IsRequestId } from './request-id.js';
import { ResponseFormatDto, StructuredOutputsDto } from './structured-outputs.dto.js';

/** What a stream tells beside the answer. */
@AcceptsUnknownFields()
export class StreamOptionsDto {
  /** A last frame with the usage of the whole request. Absent: true. */
  @IsOptional() @ListedDefault(true) @IsFlag() include_usage?: boolean | null;
  /** Usage so far in every frame. Absent: false. */
  @IsOptional() @ListedDefault(false) @IsFlag() continuous_usage_stats?: boolean | null;
}

/** Ends a choice that repeats itself: a pattern of min to max tokens, so many times in a row. All 0: off. */
@AcceptsUnknownFields()
export class RepetitionDetectionDto {
  @IsOptional() @ListedDefault(0) @IsInteger({ min: 0 }) max_pattern_size?: number | null;
  @IsOptional() @ListedDefault(0) @IsInteger({ min: 0 }) min_pattern_size?: number | null;
  @IsOptional() @ListedDefault(0) @IsInteger({ min: 0 }) min_count?: number | null;
}

/**
 * Body of `POST /v1/chat/completions`. Null means absent in every optional field; a field that is not declared
 * here is accepted and passed on to upstreams.
 */
@AcceptsUnknownFields()
@Example({ model: 'hone-tiny', messages: [{ role: 'user', content: 'repeat: cat' }], temperature: 0 })
export class ChatCompletionRequestDto {
  /** The conversation so far. */
  @IsMessages() messages!: ChatMessage[];
  /** A route, an alias, or the reference of a trained model. */
  @IsAnyText({ min: 1, max: 512 }) model!: string;
  /** 0 to 2; below 1e-5 the likeliest token is taken. Absent: 1. */
  @IsOptional() @IsNumber({ min: 0, max: 2 }) temperature?: number | null;
  /** Above 0, up to 1: draw from the likeliest tokens that have this probability together. Absent: 1. */
  @IsOptional() @IsNumber({ above: 0, max: 1 }) top_p?: number | null;
  /** Draw from so many likeliest tokens; 0 and -1: from all. */
  @IsOptional() @IsInteger({ min: -1 }) top_k?: number | null;
  /** Draw from tokens at least this likely, relative to the likeliest. */
  @IsOptional() @IsNumber({ min: 0, max: 1 }) min_p?: number | null;
  /** -2 to 2, taken off for each time a token was generated. */
  @IsOptional() @ListedDefault(0) @IsNumber({ min: -2, max: 2 }) frequency_penalty?: number | null;
  /** -2 to 2, taken off once a token was generated. */
  @IsOptional() @ListedDefault(0) @IsNumber({ min: -2, max: 2 }) presence_penalty?: number | null;
  /** Above 0; above 1 makes tokens of prompt and answer less likely. Absent: 1. */
  @IsOptional() @IsNumber({ above: 0 }) repetition_penalty?: number | null;
  /** Token id -> -100 to 100, added before sampling. */
  @IsOptional() @IsLogitBias() logit_bias?: Record<string, number> | null;
  /** Log-probabilities of the answer's tokens, raw: before temperature, penalties and bias. */
  @IsOptional() @ListedDefault(false) @IsFlag() logprobs?: boolean | null;
  /** How many likeliest tokens to report beside each; needs `logprobs`. */
  @IsOptional() @ListedDefault(0) @IsLogprobCount() top_logprobs?: number | null;
  /** The same for the prompt's tokens. */
  @IsOptional() @IsLogprobCount() prompt_logprobs?: number | null;
  /** Tokens of the answer at most. Absent: the rest of the context. */
  @IsOptional() @IsInteger({ min: 1 }) max_tokens?: number | null;
  /** The same; wins over `max_tokens`. */
  @IsOptional() @IsInteger({ min: 1 }) max_completion_tokens?: number | null;
  /** So many tokens come before anything may end the answer. */
  @IsOptional() @ListedDefault(0) @IsInteger({ min: 0 }) min_tokens?: number | null;
  /** Answers to generate. */
  @IsOptional() @ListedDefault(1) @IsInteger({ min: 1 }) n?: number | null;
  /** 64-bit. Equal seeds give equal answers; choice i uses seed + i; -1 and absent: random. */
  @IsOptional() @ListedDefault(0, 'Absent: another seed for each request.') @IsInteger(INT64) seed?: number | null;
  /** Texts that end the answer. */
  @IsOptional() @ListedDefault([]) @IsStop() stop?: string | string[] | null;
  /** Tokens that end the answer. */
  @IsOptional() @ListedDefault([]) @IsTokenIds({ maxItems: 256 }) stop_token_ids?: number[] | null;
  /** The text that ended the answer is part of it. */
  @IsOptional() @ListedDefault(false) @IsFlag() include_stop_str_in_output?: boolean | null;
  /** The model's own end does not end the answer. */
  @IsOptional() @ListedDefault(false) @IsFlag() ignore_eos?: boolean | null;
  /** Special tokens have no text. Absent: true. */
  @IsOptional() @ListedDefault(true) @IsFlag() skip_special_tokens?: boolean | null;
  /** Blanks between special tokens that are shown. Absent: true. */
  @IsOptional() @ListedDefault(true) @IsFlag() spaces_between_special_tokens?: boolean | null;
  /** Texts that the answer never contains. */
  @IsOptional() @IsAnyTextList({ min: 1, max: 128, maxItems: 256 }) bad_words?: string[] | null;
  /** The only tokens that may come. */
  @IsOptional() @IsTokenIds({ minItems: 1 }) allowed_token_ids?: number[] | null;
  /** Server-sent events instead of one body. */
  @IsOptional() @ListedDefault(false) @IsFlag() stream?: boolean | null;
  /** Needs `stream`. */
  @IsOptional() @Nested(() => StreamOptionsDto) stream_options?: StreamOptionsDto | null;
  /** What the answer must look like. */
  @IsOptional() @Nested(() => ResponseFormatDto) response_format?: ResponseFormatDto | null;
  /** The same in the engine's own words. */
  @IsOptional() @Nested(() => StructuredOutputsDto) structured_outputs?: StructuredOutputsDto | null;
  /** Functions that the model may call. */
  @IsOptional() @IsTools() tools?: ChatTool[] | null;
  /** Absent: auto with tools, else none. */
  @IsOptional()
  @ListedDefault('none', 'Absent: auto when there are tools.')
  @IsToolChoice()
  tool_choice?: ToolChoice | null;
  /** False: one call at most. */
  @IsOptional() @ListedDefault(true) @IsFlag() parallel_tool_calls?: boolean | null;
  /** False: no `reasoning` in the answer. */
  @IsOptional() @ListedDefault(true) @IsFlag() include_reasoning?: boolean | null;
  /** Upstreams only. */
  @IsOptional() @ListedDefault(false) @IsFlag() use_beam_search?: boolean | null;
  /** Upstreams only. */
  @IsOptional() @ListedDefault(1) @IsNumber() length_penalty?: number | null;
  /** Keep so many tokens at the end of the prompt; -1: as many as the context has. */
  @IsOptional() @ListedDefault(4_611_686_018_427_388_000) @IsLongInteger(-1) truncate_prompt_tokens?: number | null;
  /** The answer begins with the last message, when that is the assistant's. */
  @IsOptional() @ListedDefault(false) @IsFlag() echo?: boolean | null;
  /** Special tokens on top of those of the template. */
  @IsOptional() @ListedDefault(false) @IsFlag() add_special_tokens?: boolean | null;
  /** Absent: true. */
  @IsOptional() @ListedDefault(true) @IsFlag() add_generation_prompt?: boolean | null;
  /** The answer continues the last message, which is the assistant's. */
  @IsOptional() @ListedDefault(false) @IsFlag() continue_final_message?: boolean | null;
  /** A template of one's own; refused unless the route allows it. */
  @IsOptional() @IsAnyText() chat_template?: string | null;
  /** Input of the template. */
  @IsOptional() @IsObjectList() documents?: Record<string, unknown>[] | null;
  /** Variables of the template. */
  @IsOptional() @IsJsonObject() chat_template_kwargs?: Record<string, unknown> | null;
  @IsOptional() @IsJsonObject() mm_processor_kwargs?: Record<string, unknown> | null;
  @IsOptional() @IsJsonObject() kv_transfer_params?: Record<string, unknown> | null;
  /** Arguments of the upstream's engine, under its own name for them. */
  @IsOptional() @IsEngineArguments() engine_xargs?: Record<string, unknown> | null;
  /** 64-bit; lower runs first. */
  @IsOptional() @ListedDefault(0) @IsInteger(INT64) priority?: number | null;
  /** 1..128 visible ASCII characters but `"` and `\`; the response's id is `chatcmpl-` and this. */
  @IsOptional() @IsRequestId() request_id?: string | null;
  /** Adds `prompt_token_ids` and each choice's `token_ids`. */
  @IsOptional()
  @ListedDefault(true, 'Absent: ids are shown only beside the logprobs of a trained model.')
  @IsFlag()
  return_token_ids?: boolean | null;
  /** Token texts of log-probabilities become `token_id:<id>`. */
  @IsOptional() @ListedDefault(true, 'Absent: tokens are shown as text.') @IsFlag() return_tokens_as_token_ids?:
    boolean | null;
  /** Kept as a keyed hash only. */
  @IsOptional() @IsAnyText({ max: 512 }) user?: string | null;
  /** Prompts share their cache only with those of the same salt. */
  @IsOptional() @IsAnyText({ min: 1, max: 128 }) cache_salt?: string | null;
  @IsOptional() @Nested(() => RepetitionDetectionDto) repetition_detection?: RepetitionDetectionDto | null;
}

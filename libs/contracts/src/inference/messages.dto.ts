import { IsOptional } from 'class-validator';

import { Constrained } from '../schema/constraint.js';
import { Example } from '../schema/example.js';
import { AcceptsUnknownFields, Nested, RequiredUnless } from '../validation/rule.js';
import { IsFlag, IsInteger, IsJsonObject, IsJsonValue, IsNumber, IsText, IsWord } from '../validation/rules.js';
import { IsAnyText, IsAnyTextList, IsObjectList } from './chat-rules.js';
import { IsFallbacks, IsModelNames } from './fallback-models.js';
import { MESSAGE_TOOLS_SCHEMA, MESSAGES_SCHEMA, SYSTEM_SCHEMA } from './message-blocks.js';
import { PromptReferenceDto, unlessPrompted } from './prompt-reference.dto.js';

/** Says who asks. */
@AcceptsUnknownFields()
export class MessageMetadataDto {
  /** Name of the end user, at most 512 characters; the gateway keeps only a keyed hash. Absent or null: none. */
  @IsOptional() @IsAnyText({ max: 512 }) user_id?: string | null;
}

const THINKING = ['enabled', 'adaptive', 'disabled'] as const;

/** Whether and how a model reasons before it answers. */
@AcceptsUnknownFields()
export class ThinkingConfigDto {
  /** `enabled` needs `budget_tokens`; `adaptive`: as the model likes; `disabled`: the answer shows no reasoning. */
  @IsWord(THINKING) type!: (typeof THINKING)[number];
  /**
   * About how many tokens the reasoning may have; upstreams get `low` below 4,096, `medium` below 16,384, else `high` as
   * their `reasoning_effort`. Absent or null: nothing is said.
   */
  @IsOptional() @IsInteger({ min: 1 }) budget_tokens?: number | null;
  /** Whether the answer shows the reasoning: `omitted`: it does not. Absent, null or another word: it does. */
  @IsOptional() @IsAnyText() display?: string | null;
}

const CHOICES = ['auto', 'any', 'tool', 'none'] as const;
/** A tool that is to be called has a name. */
const NAMED_TOOL = {
  if: { properties: { type: { const: 'tool' } }, required: ['type'] },
  then: { properties: { name: { type: 'string' } }, required: ['name'] },
};

/** Which tools an answer may or must call. */
@AcceptsUnknownFields()
@Constrained({ schema: NAMED_TOOL })
export class MessageToolChoiceDto {
  /** `auto`: those that the model likes; `any`: at least one; `tool`: the one of the `name`; `none`: none. */
  @IsWord(CHOICES) type!: (typeof CHOICES)[number];
  /** Name of the one tool to call, with type `tool`. */
  @IsOptional() @IsAnyText() name?: string | null;
  /** Whether an answer holds one call at most. Absent or null: false. */
  @IsOptional() @IsFlag() disable_parallel_tool_use?: boolean | null;
}

/** Form of the answer's text. */
@AcceptsUnknownFields()
export class MessageFormatDto {
  /** Always `json_schema`. */
  @IsWord(['json_schema']) type!: 'json_schema';
  /** JSON schema that the text fits. */
  @IsJsonObject() schema!: Record<string, unknown>;
}

/** What is asked of an answer. A member that is not declared here is a 422. */
@AcceptsUnknownFields()
export class OutputConfigDto {
  /**
   * How much the model reasons and writes: `low`, `medium`, `high`, `xhigh`, `max`, or another word that it knows; upstreams
   * get it as `reasoning_effort`, and `max` as `xhigh`. Absent or null: as `thinking` says.
   */
  @IsOptional() @IsAnyText() effort?: string | null;
  /** Form of the text. Absent or null: any text. */
  @IsOptional() @Nested(() => MessageFormatDto) format?: MessageFormatDto | null;
}

/**
 * Body of `POST /v1/messages/count_tokens`: that of `POST /v1/messages`, of which what the prompt has in it counts. Null
 * means absent in every optional field.
 */
@AcceptsUnknownFields()
@Constrained({ schema: unlessPrompted('messages', 'model') })
@Example({ model: 'hone-tiny', messages: [{ role: 'user', content: 'repeat: cat' }] })
export class CountTokensRequestDto {
  /** A route, an alias, or the reference of a trained model, 1 to 512 characters. Absent: the one that the `prompt` names. */
  @RequiredUnless('prompt') @IsAnyText({ min: 1, max: 512 }) model!: string;
  /**
   * Turns of the `user` and the `assistant`, each with a `role` and its `content`: a text, or blocks of type `text`, `image`,
   * `document`, `search_result`, `tool_use`, `tool_result` or `thinking`, which is left out. Turns of one role in a row are
   * one. If the last is the assistant's, the answer continues it. With a `prompt`, what comes after its messages, if
   * anything does.
   */
  @RequiredUnless('prompt') @IsJsonValue(MESSAGES_SCHEMA) messages!: unknown;
  /** A prompt object whose system messages begin `system`, and whose others come before the messages. Absent or null: none. */
  @IsOptional() @Nested(() => PromptReferenceDto) prompt?: PromptReferenceDto | null;
  /** What the model is told before the messages: a text, or blocks of text. Absent or null: nothing. */
  @IsOptional() @IsJsonValue(SYSTEM_SCHEMA) system?: unknown;
  /** Tools that the model may call, with different names; types other than `custom` are a 422. Absent or null: none. */
  @IsOptional() @IsJsonValue(MESSAGE_TOOLS_SCHEMA) tools?: unknown;
  /** Which of them. Absent or null: `auto`. */
  @IsOptional() @Nested(() => MessageToolChoiceDto) tool_choice?: MessageToolChoiceDto | null;
  /** Whether the model reasons. Absent or null: as it likes. */
  @IsOptional() @Nested(() => ThinkingConfigDto) thinking?: ThinkingConfigDto | null;
  /** What is asked of the answer. Absent or null: nothing. */
  @IsOptional() @Nested(() => OutputConfigDto) output_config?: OutputConfigDto | null;
  /** Without effect, here and within blocks: prompts are cached by what they have in common. */
  @IsOptional() @IsJsonObject() cache_control?: Record<string, unknown> | null;
  /**
   * Models to try, at most 9: after `model` or, where that is absent, in its place. The next one is tried only before
   * anything was sent. Absent or null: `model` alone.
   */
  @IsOptional() @IsModelNames() models?: string[] | null;
  /** Models to try after those, at most 8, each a name or `{"model": name}`. Absent or null: none. */
  @IsOptional() @IsFallbacks() fallbacks?: (string | { model: string })[] | null;
}

/**
 * Body of `POST /v1/messages`, in the form of Anthropic's Messages (https://platform.claude.com/docs/en/api/messages). Null
 * means absent in every optional field; a field that is not declared here goes on to upstreams as it is.
 */
@AcceptsUnknownFields()
@Constrained({ schema: unlessPrompted('messages', 'model') })
@Example({
  model: 'hone-tiny',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'repeat: cat' }],
  temperature: 0,
})
export class MessagesRequestDto extends CountTokensRequestDto {
  /** Most tokens of the answer, at least 1. */
  @IsInteger({ min: 1 }) max_tokens!: number;
  /** Randomness of the draw, 0 to 2. Absent or null: 1. */
  @IsOptional() @IsNumber({ min: 0, max: 2 }) temperature?: number | null;
  /** Draw from the likeliest tokens that together have this probability, above 0 up to 1. Absent or null: 1. */
  @IsOptional() @IsNumber({ above: 0, max: 1 }) top_p?: number | null;
  /** Draw from this many likeliest tokens; 0: from all. Absent or null: from all. */
  @IsOptional() @IsInteger({ min: 0 }) top_k?: number | null;
  /** Texts that end the answer, at most 64, 1 to 1,024 characters each. Absent or null: none. */
  @IsOptional() @IsAnyTextList({ min: 1, max: 1_024, maxItems: 64 }) stop_sequences?: string[] | null;
  /** Whether the answer comes as server-sent events. Absent or null: false. */
  @IsOptional() @IsFlag() stream?: boolean | null;
  /** Says who asks. Absent or null: nothing is said. */
  @IsOptional() @Nested(() => MessageMetadataDto) metadata?: MessageMetadataDto | null;
  /** Capacity that an upstream uses: `standard_only` is its `default`. Absent, null or `auto`: as it likes. */
  @IsOptional() @IsWord(['auto', 'standard_only']) service_tier?: 'auto' | 'standard_only' | null;
}

/** Tokens that a message used. */
export class MessageUsageDto {
  /** Of the prompt, without those of the two fields below. */
  @IsInteger() input_tokens!: number;
  /** Of the prompt, written into a cache. */
  @IsInteger() cache_creation_input_tokens!: number;
  /** Of the prompt, read from a cache. */
  @IsInteger() cache_read_input_tokens!: number;
  /** Of the answer. */
  @IsInteger() output_tokens!: number;
  /** Of those: `thinking_tokens`. */
  @IsJsonObject() output_tokens_details!: Record<string, unknown>;
  /** Always null: it is not known how long caches last. */
  @IsOptional() @IsJsonObject() cache_creation!: Record<string, unknown> | null;
  /** Always null: not known. */
  @IsOptional() @IsText() inference_geo!: string | null;
  /** Always null: the answer used no tools of a server. */
  @IsOptional() @IsJsonObject() server_tool_use!: Record<string, unknown> | null;
  /** Always null: not known. */
  @IsOptional() @IsText() service_tier!: string | null;
}

/** Answer of `POST /v1/messages` that is not streamed. */
export class MessageDto {
  /** `msg_` and the id of the request. */
  @IsText() id!: string;
  /** Always `message`. */
  @IsText() type!: string;
  /** Always `assistant`. */
  @IsText() role!: string;
  /** The model that answered. */
  @IsText() model!: string;
  /** Blocks: `thinking`, `text`, and `tool_use` with its `input`. */
  @IsObjectList() content!: Record<string, unknown>[];
  /** `end_turn`, `max_tokens`, `stop_sequence`, `tool_use` or `refusal`. */
  @IsText() stop_reason!: string;
  /** The text that ended the answer. Null: none, or the upstream does not say which. */
  @IsOptional() @IsText() stop_sequence!: string | null;
  /** Why the model refuses, as `explanation`. Null: it does not refuse. */
  @IsOptional() @IsJsonObject() stop_details!: Record<string, unknown> | null;
  /** Always null: nothing runs in a container. */
  @IsOptional() @IsJsonObject() container!: Record<string, unknown> | null;
  /** Tokens that the request used. */
  @Nested(() => MessageUsageDto) usage!: MessageUsageDto;
}

/** Answer of `POST /v1/messages/count_tokens`. */
export class TokenCountDto {
  /** Tokens of the prompt: counted by the embedded engine and by vLLM, else an estimate by its size. */
  @IsInteger({ min: 0 }) input_tokens!: number;
}

/** An error as clients of Anthropic read it. */
export class MessageErrorDetailsDto {
  /** Kind of error, for example `invalid_request_error` or `overloaded_error`. */
  @IsText() type!: string;
  /** What went wrong, in a sentence. */
  @IsText() message!: string;
  /** `error_code`: stable code of the error; `param`: the field that is to blame, or null. */
  @IsJsonObject() details!: Record<string, unknown>;
}

/** Body of every error of the Messages API. */
export class MessageErrorDto {
  /** Always `error`. */
  @IsText() type!: string;
  /** What went wrong. */
  @Nested(() => MessageErrorDetailsDto) error!: MessageErrorDetailsDto;
  /** Id of the request, as in the header `request-id`. */
  @IsText() request_id!: string;
  /** The same as for clients of Hone: a sentence, or for a 422 a list of `{loc, msg, type}`. */
  @IsJsonValue({ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'object' } }] }) detail!: unknown;
}

import { IsOptional } from 'class-validator';

import { IsQueryInteger, IsQueryText, IsQueryWord } from '../query/query-rules.js';
import { Constrained } from '../schema/constraint.js';
import { Example } from '../schema/example.js';
import { AcceptsUnknownFields, MayOmit, Nested, RequiredUnless } from '../validation/rule.js';
import { IsFlag, IsInteger, IsJsonObject, IsJsonValue, IsNumber, IsTextList, IsWord } from '../validation/rules.js';
import { IsAnyText, IsObjectList } from './chat-rules.js';
import { IsFallbacks, IsModelNames } from './fallback-models.js';
import { PromptReferenceDto, unlessPrompted } from './prompt-reference.dto.js';

/** How a model reasons before it answers. */
@AcceptsUnknownFields()
export class ReasoningOptionsDto {
  /** How much, as the model knows it: `none`, `minimal`, `low`, `medium`, `high` and others. Absent or null: the model's own. */
  @IsOptional() @IsAnyText() effort?: string | null;
  /** With a value, the reasoning that the model shows comes as a summary, without as text of its own. Absent or null: as text. */
  @IsOptional() @IsAnyText() summary?: string | null;
}

const FORMATS = ['text', 'json_object', 'json_schema'] as const;

/** Form of the text of an answer. */
@AcceptsUnknownFields()
export class TextFormatDto {
  /** Kind of form; `json_schema` needs a `schema`. */
  @IsWord(FORMATS) type!: (typeof FORMATS)[number];
  /** Name of the schema. Absent or null: none. */
  @IsOptional() @IsAnyText() name?: string | null;
  /** What the answer is for. Absent or null: nothing is said. */
  @IsOptional() @IsAnyText() description?: string | null;
  /** JSON schema of the answer, with type `json_schema`. */
  @IsOptional() @IsJsonObject() schema?: Record<string, unknown> | null;
  /** Without effect: an answer always fits its schema. */
  @IsOptional() @IsFlag() strict?: boolean | null;
}

/** What is asked of the text of an answer. */
@AcceptsUnknownFields()
export class TextOptionsDto {
  /** Its form. Absent or null: any text. */
  @IsOptional() @Nested(() => TextFormatDto) format?: TextFormatDto | null;
  /** How long it is to be: `low`, `medium`, `high`; for upstreams that know it. Absent or null: as the model likes. */
  @IsOptional() @IsAnyText() verbosity?: string | null;
}

const ITEMS = {
  anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'object', additionalProperties: true } }],
};

/**
 * Body of `POST /v1/responses`, in the form of OpenAI's Responses (https://platform.openai.com/docs/api-reference/responses).
 * Null means absent in every optional field; a field that is not declared here goes on to upstreams as it is.
 */
@AcceptsUnknownFields()
@Constrained({ schema: unlessPrompted('input', 'model') })
@Example({ model: 'hone-tiny', input: 'repeat: cat', temperature: 0 })
export class ResponsesRequestDto {
  /** A route, an alias, or the reference of a trained model, 1 to 512 characters. Absent: the one that the `prompt` names. */
  @RequiredUnless('prompt') @IsAnyText({ min: 1, max: 512 }) model!: string;
  /**
   * What the user says, or a list of items: messages, calls of functions, their outputs, reasoning, which is left out. With
   * a `prompt`, what comes after its messages, if anything does.
   */
  @RequiredUnless('prompt') @IsJsonValue(ITEMS) input!: unknown;
  /**
   * A prompt object whose messages come after the instructions and before all others; a response that continues this one
   * has its own. Absent or null: none.
   */
  @IsOptional() @Nested(() => PromptReferenceDto) prompt?: PromptReferenceDto | null;
  /** A system message before the input. Absent or null: none. */
  @IsOptional() @IsAnyText() instructions?: string | null;
  /** Most tokens of the answer, at least 1. Absent or null: the rest of the context. */
  @IsOptional() @IsInteger({ min: 1 }) max_output_tokens?: number | null;
  /** Randomness of the draw, 0 to 2. Absent or null: 1. */
  @IsOptional() @IsNumber({ min: 0, max: 2 }) temperature?: number | null;
  /** Draw from the likeliest tokens that together have this probability, above 0 up to 1. Absent or null: 1. */
  @IsOptional() @IsNumber({ above: 0, max: 1 }) top_p?: number | null;
  /** How many likeliest tokens to show at each position, with their log-probabilities. Absent or null: none. */
  @IsOptional() @IsInteger({ min: 0 }) top_logprobs?: number | null;
  /** Whether the answer comes as server-sent events. Absent or null: false. */
  @IsOptional() @IsFlag() stream?: boolean | null;
  /** Options of the stream; without effect. */
  @IsOptional() @IsJsonObject() stream_options?: Record<string, unknown> | null;
  /** Tools of type `function`, or `custom` where an upstream takes it; with different names; or a `namespace` of them. Absent or null: none. */
  @IsOptional() @IsObjectList() tools?: Record<string, unknown>[] | null;
  /** `none`, `auto`, `required`, the one tool to call, or the `allowed_tools`. Absent or null: `auto` when there are tools. */
  @IsOptional() @IsJsonValue({ type: ['string', 'object'], additionalProperties: true }) tool_choice?: unknown;
  /** Whether one answer may hold several tool calls. Absent or null: true. */
  @IsOptional() @IsFlag() parallel_tool_calls?: boolean | null;
  /** Most calls of built-in tools; without effect, as there are none. */
  @IsOptional() @IsInteger({ min: 0 }) max_tool_calls?: number | null;
  /** Form of the text. Absent or null: any text. */
  @IsOptional() @Nested(() => TextOptionsDto) text?: TextOptionsDto | null;
  /** How the model reasons. Absent or null: its own way. */
  @IsOptional() @Nested(() => ReasoningOptionsDto) reasoning?: ReasoningOptionsDto | null;
  /** `message.output_text.logprobs`; `reasoning.encrypted_content` is without effect. Absent or null: nothing. */
  @IsOptional() @IsTextList() include?: string[] | null;
  /** Texts by key, kept with the call and given back. Absent or null: none. */
  @IsOptional() @IsJsonObject() metadata?: Record<string, unknown> | null;
  /** What a prompt that is too long becomes: `disabled`: an error; `auto`, for upstreams that speak responses: it is cut. Absent or null: an error. */
  @IsOptional() @IsWord(['auto', 'disabled']) truncation?: 'auto' | 'disabled' | null;
  /** Name of the end user, at most 512 characters. Absent or null: none. */
  @IsOptional() @IsAnyText({ max: 512 }) user?: string | null;
  /** Id of the response whose conversation this one continues; its instructions are left out. Absent or null: none. */
  @IsOptional() @IsAnyText({ min: 1, max: 512 }) previous_response_id?: string | null;
  /** Whether the answer is kept, to be continued by `previous_response_id`. Absent or null: true. */
  @IsOptional() @IsFlag() store?: boolean | null;
  /**
   * Models to try, at most 9: after `model` or, where that is absent, in its place. The next one is tried only before
   * anything was sent. Absent or null: `model` alone.
   */
  @IsOptional() @IsModelNames() models?: string[] | null;
  /** Models to try after those, at most 8, each a name or `{"model": name}`. Absent or null: none. */
  @IsOptional() @IsFallbacks() fallbacks?: (string | { model: string })[] | null;
}

/** Tokens that a response used. */
export class ResponseUsageDto {
  /** Of the prompt. */
  @IsInteger() input_tokens!: number;
  /** Of those: `cached_tokens`, which the prompt had in common with an earlier one. */
  @IsJsonObject() input_tokens_details!: Record<string, unknown>;
  /** Of the answer. */
  @IsInteger() output_tokens!: number;
  /** Of those: `reasoning_tokens`. */
  @IsJsonObject() output_tokens_details!: Record<string, unknown>;
  /** Those of the prompt and of the answer together. */
  @IsInteger() total_tokens!: number;
}

/** Which items of a response's input are listed. */
@AcceptsUnknownFields()
export class InputItemsQueryDto {
  /** Most items, 1 to 100. Absent: 20. */
  @MayOmit() @IsQueryInteger(1, 100, 20) limit?: number;
  /** `asc`: oldest first; `desc`: newest first. Absent: `desc`. */
  @MayOmit() @IsQueryWord(['asc', 'desc'], 'desc') order?: 'asc' | 'desc';
  /** Id of an item: the list goes on after it. Absent: it begins at the first. */
  @MayOmit() @IsQueryText() after?: string;
}

/** Items of the input of a response. */
export class InputItemListDto {
  /** Always `list`. */
  @IsAnyText() object!: string;
  /** The items: messages, calls of tools and their outputs. */
  @IsObjectList() data!: Record<string, unknown>[];
  /** Id of the first of them. Null: there is none. */
  @IsOptional() @IsAnyText() first_id!: string | null;
  /** Id of the last of them. Null: there is none. */
  @IsOptional() @IsAnyText() last_id!: string | null;
  /** Whether more follow. */
  @IsFlag() has_more!: boolean;
}

/** Answer to the deletion of a response. */
export class DeletedResponseDto {
  /** Its id. */
  @IsAnyText() id!: string;
  /** Always `response`. */
  @IsAnyText() object!: string;
  /** Always true. */
  @IsFlag() deleted!: boolean;
}

/** Answer of `POST /v1/responses` that is not streamed. Fields of the request come back with what they meant. */
@AcceptsUnknownFields()
export class ResponseDto {
  /** `resp_` and the id of the request. */
  @IsAnyText() id!: string;
  /** Always `response`. */
  @IsAnyText() object!: string;
  /** When the answer began, in Unix seconds. */
  @IsInteger() created_at!: number;
  /** `completed`, or `incomplete`: `incomplete_details` says why. */
  @IsAnyText() status!: string;
  /** The model that answered. */
  @IsAnyText() model!: string;
  /** Items: reasoning, a message with its text or refusal, calls of tools. */
  @IsObjectList() output!: Record<string, unknown>[];
  /** `reason`: `max_output_tokens` or `content_filter`. Null: the answer is whole. */
  @IsOptional() @IsJsonObject() incomplete_details!: Record<string, unknown> | null;
  /** Null: there is none in a response that was given. */
  @IsOptional() @IsJsonObject() error!: Record<string, unknown> | null;
  /** Tokens that the request used. */
  @Nested(() => ResponseUsageDto) usage!: ResponseUsageDto;
}

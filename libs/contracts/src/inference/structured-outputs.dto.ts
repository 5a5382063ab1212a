import { IsOptional } from 'class-validator';

import { Constrained } from '../schema/constraint.js';
import { AcceptsUnknownFields, Nested } from '../validation/rule.js';
import { IsFlag, IsJsonObject, IsJsonValue, IsWord } from '../validation/rules.js';
import { RESPONSE_FORMAT, STRUCTURED_OUTPUTS } from './chat-constraints.js';
import { IsAnyText, IsAnyTextList, IsSchemaOrText, ListedDefault } from './chat-rules.js';

/** Form of an answer, in the engine's notation: at most one of the first six fields. */
@AcceptsUnknownFields()
@Constrained({ schema: STRUCTURED_OUTPUTS })
export class StructuredOutputsDto {
  /** The answer fits this JSON schema, given as an object or as its text. Absent or null: not asked for. */
  @IsOptional() @IsSchemaOrText() json?: string | Record<string, unknown> | null;
  /** The whole answer matches this regular expression. Absent or null: not asked for. */
  @IsOptional() @IsAnyText() regex?: string | null;
  /** The answer is one of these texts, at least one. Absent or null: not asked for. */
  @IsOptional() @IsAnyTextList({ minItems: 1 }) choice?: string[] | null;
  /** The answer follows this grammar; only upstreams. Absent or null: not asked for. */
  @IsOptional() @IsAnyText() grammar?: string | null;
  /** Whether the answer is some JSON object. Absent, null or false: not asked for. */
  @IsOptional() @IsFlag() json_object?: boolean | null;
  /** The answer has these tagged parts; only upstreams. Absent or null: not asked for. */
  @IsOptional() @IsAnyText() structural_tag?: string | null;
  /** Whether another constraint backend must not be tried. Absent or null: false. */
  @IsOptional() @ListedDefault(false) @IsFlag() disable_fallback?: boolean | null;
  /** Whether a JSON answer has no blanks between its parts. Absent or null: false. */
  @IsOptional() @ListedDefault(false) @IsFlag() disable_any_whitespace?: boolean | null;
  /** Whether objects have the listed properties only, even where the schema is silent. Absent or null: false. */
  @IsOptional() @ListedDefault(false) @IsFlag() disable_additional_properties?: boolean | null;
  /** Regular expression of the blanks between the parts of a JSON answer. Absent or null: as the engine likes. */
  @IsOptional() @IsAnyText() whitespace_pattern?: string | null;
  /** Constraint backend: `auto`, or the target's own name. Absent or null: `auto`. */
  @IsOptional() @IsAnyText() _backend?: string | null;
  /** Whether `_backend` was chosen by an engine; read and without effect. Absent or null: false. */
  @IsOptional() @ListedDefault(false) @IsFlag() _backend_was_auto?: boolean | null;
}

/** A JSON schema with its name. */
@AcceptsUnknownFields()
export class JsonSchemaFormatDto {
  /** Name of the schema, without effect. Absent or null: none. */
  @IsOptional() @IsAnyText() name?: string | null;
  /** What the answer is for, without effect. Absent or null: none. */
  @IsOptional() @IsAnyText() description?: string | null;
  /** JSON schema of the answer. Absent or null: any JSON object. */
  @IsOptional() @IsJsonObject() schema?: Record<string, unknown> | null;
  /** Without effect: an answer always fits its schema. */
  @IsOptional() @IsFlag() strict?: boolean | null;
}

export const RESPONSE_FORMATS = ['text', 'json_object', 'json_schema', 'structural_tag'] as const;

/** Form of an answer, in OpenAI's notation. */
@AcceptsUnknownFields()
@Constrained({ schema: RESPONSE_FORMAT })
export class ResponseFormatDto {
  /** Kind of form. Absent or null: `json_schema` beside a `json_schema`, else `text`. */
  @IsOptional() @IsWord(RESPONSE_FORMATS) type?: (typeof RESPONSE_FORMATS)[number] | null;
  /** The schema, for type `json_schema`, which needs it. Absent or null: none. */
  @IsOptional() @Nested(() => JsonSchemaFormatDto) json_schema?: JsonSchemaFormatDto | null;
  /** With type `structural_tag`: the tag, under the name that the upstream knows it by. Absent or null: none. */
  @IsOptional() @IsJsonValue() structural_tag?: unknown;
  /** With type `structural_tag`: the format, in the newer notation of upstreams. Absent or null: none. */
  @IsOptional() @IsJsonValue() format?: unknown;
  /** With type `structural_tag`: the tagged parts, in the older notation of upstreams. Absent or null: none. */
  @IsOptional() @IsJsonValue() structures?: unknown;
}

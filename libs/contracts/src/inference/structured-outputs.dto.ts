import { IsOptional } from 'class-validator';

import { AcceptsUnknownFields, Nested } from '../validation/rule.js';
import { IsFlag, IsJsonObject, IsJsonValue, IsWord } from '../validation/rules.js';
import { IsAnyText, IsAnyTextList, IsSchemaOrText, ListedDefault } from './chat-rules.js';

/** What an answer must look like, with the knobs of the engine. At most one of the first six fields. */
@AcceptsUnknownFields()
export class StructuredOutputsDto {
  /** A JSON schema or its text. */
  @IsOptional() @IsSchemaOrText() json?: string | Record<string, unknown> | null;
  /** A regular expression that the whole answer matches. */
  @IsOptional() @IsAnyText() regex?: string | null;
  /** The answer is one of these. */
  @IsOptional() @IsAnyTextList({ minItems: 1 }) choice?: string[] | null;
  /** Not supported by the embedded engine. */
  @IsOptional() @IsAnyText() grammar?: string | null;
  /** Any JSON object. */
  @IsOptional() @IsFlag() json_object?: boolean | null;
  /** Not supported by the embedded engine. */
  @IsOptional() @IsAnyText() structural_tag?: string | null;
  /** Another backend must not be tried; there is one. */
  @IsOptional() @ListedDefault(false) @IsFlag() disable_fallback?: boolean | null;
  /** No blanks between the parts of a JSON text. */
  @IsOptional() @ListedDefault(false) @IsFlag() disable_any_whitespace?: boolean | null;
  /** Objects have the listed properties only, even where the schema is silent. */
  @IsOptional() @ListedDefault(false) @IsFlag() disable_additional_properties?: boolean | null;
  /** Which blanks are allowed between the parts of a JSON text, a regular expression. */
  @IsOptional() @IsAnyText() whitespace_pattern?: string | null;
  /** Null, `auto` or the target's own name. */
  @IsOptional() @IsAnyText() _backend?: string | null;
  @IsOptional() @ListedDefault(false) @IsFlag() _backend_was_auto?: boolean | null;
}

/** A JSON schema with its name. */
@AcceptsUnknownFields()
export class JsonSchemaFormatDto {
  @IsOptional() @IsAnyText() name?: string | null;
  @IsOptional() @IsAnyText() description?: string | null;
  /** Absent: any JSON object. */
  @IsOptional() @IsJsonObject() schema?: Record<string, unknown> | null;
  @IsOptional() @IsFlag() strict?: boolean | null;
}

export const RESPONSE_FORMATS = ['text', 'json_object', 'json_schema', 'structural_tag'] as const;

/** OpenAI's way to say what an answer must look like. */
@AcceptsUnknownFields()
export class ResponseFormatDto {
  /** Absent beside `json_schema`: json_schema. */
  @IsOptional() @IsWord(RESPONSE_FORMATS) type?: (typeof RESPONSE_FORMATS)[number] | null;
  @IsOptional() @Nested(() => JsonSchemaFormatDto) json_schema?: JsonSchemaFormatDto | null;
  /** With type structural_tag: the tag, under the name that the upstream knows it by. */
  @IsOptional() @IsJsonValue() structural_tag?: unknown;
  @IsOptional() @IsJsonValue() format?: unknown;
  @IsOptional() @IsJsonValue() structures?: unknown;
}

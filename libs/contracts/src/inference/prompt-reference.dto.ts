import { IsOptional } from 'class-validator';

import { issue } from '../issues/issue.js';
import { isJsonObject } from '../json/index.js';
import { Constrained } from '../schema/constraint.js';
import { fromRule, type JsonSchema } from '../validation/rule.js';
import { IsAnyText } from './chat-rules.js';

/** What a variable of a prompt says; undefined: it is no text. */
export function variableText(value: unknown): string | undefined {
  const text = isJsonObject(value) && value['type'] === 'input_text' ? value['text'] : value;
  return typeof text === 'string' ? text : undefined;
}

const INPUT_TEXT: JsonSchema = {
  type: 'object',
  properties: { type: { const: 'input_text' }, text: { type: 'string' } },
  required: ['type', 'text'],
};

/** Texts by name: strings, or parts of type `input_text`. */
const IsVariables = (): PropertyDecorator =>
  fromRule({
    name: 'isVariables',
    issues(value) {
      if (!isJsonObject(value)) return [issue('dict_type')];
      const wrong = Object.keys(value).filter((name) => variableText(value[name]) === undefined);
      return wrong.map((name) => issue('string_type', [name]));
    },
    schema: { type: 'object', additionalProperties: { anyOf: [{ type: 'string' }, INPUT_TEXT] } },
  });

const isGiven = (name: string): JsonSchema => ({ properties: { [name]: { type: 'string' } }, required: [name] });

const PROMPT: JsonSchema = { type: 'object', description: 'The prompt object that has them.' };

/** Of a body that needs these fields, unless it names a prompt. */
export const unlessPrompted = (...fields: string[]): JsonSchema => ({
  anyOf: [{ required: fields }, { properties: { prompt: PROMPT }, required: ['prompt'] }],
});

/** A prompt object of the trace service, and what is filled into its messages. */
@Constrained({ schema: { not: { allOf: [isGiven('version'), isGiven('label')] } } })
export class PromptReferenceDto {
  /** Id of the object in the project of the request, or the ref of one that the caller may read, 1 to 512 characters. */
  @IsAnyText({ min: 1, max: 512 }) id!: string;
  /** The version: its digest, its number (`3` or `v3`) or an alias; not beside `label`. Absent or null: as `label` says. */
  @IsOptional() @IsAnyText({ min: 1, max: 128 }) version?: string | null;
  /**
   * Alias of the version, or of several by their weights: then a thread (header `Hone-Thread`, else the field for the user)
   * always gets the same one, and a request without a thread any. A label that moves is seen within a second. Absent or
   * null: the version, else the latest.
   */
  @IsOptional() @IsAnyText({ min: 1, max: 128 }) label?: string | null;
  /** Text for each `{{name}}` of the messages: a string, or a part of type `input_text`. Absent or null: there are none. */
  @IsOptional() @IsVariables() variables?: Record<string, unknown> | null;
}

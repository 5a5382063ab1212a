import type { ChatCompletionRequestDto, StructuredOutputsDto } from '@hone/contracts';
import type { ConstraintSource, JsonStyle } from '@hone/engine';

import type { RefusalIssue } from '../../target.js';
import { RefusedRequest, wrongValue } from './request-issue.js';

/** Constraint of the answer's text, and the path of its field. */
export interface LocatedConstraint {
  readonly source: ConstraintSource;
  readonly loc: RefusalIssue['loc'];
}

/** The same limit as for the body itself. */
const MAX_DEPTH = 100;
const ANY_STYLE: JsonStyle = { whitespace: 'any', onlyDeclared: false };

/**
 * The constraint of a request's text answers; null: none.
 *
 * @throws RefusedRequest a schema in a string is not JSON, or too deep
 */
export function textConstraint(fields: ChatCompletionRequestDto): LocatedConstraint | null {
  return (fields.structured_outputs && fromOutputs(fields.structured_outputs)) ?? fromFormat(fields);
}

function fromFormat({ response_format: format }: ChatCompletionRequestDto): LocatedConstraint | null {
  const type = format?.type ?? (format?.json_schema ? 'json_schema' : 'text');
  if (type !== 'json_schema' && type !== 'json_object') return null;
  const schema = type === 'json_schema' ? format?.json_schema?.schema : null;
  if (!schema) return { source: { kind: 'json_object', ...ANY_STYLE }, loc: ['response_format'] };
  const loc = ['response_format', 'json_schema', 'schema'];
  return { source: { kind: 'json_schema', schema, ...ANY_STYLE }, loc };
}

function fromOutputs(outputs: StructuredOutputsDto): LocatedConstraint | null {
  const at = (field: keyof StructuredOutputsDto) => ['structured_outputs', field];
  const { json, regex, choice } = outputs;
  if (json) return { source: { kind: 'json_schema', schema: toSchema(json), ...styleOf(outputs) }, loc: at('json') };
  if (outputs.json_object) return { source: { kind: 'json_object', ...styleOf(outputs) }, loc: at('json_object') };
  if (regex) return { source: { kind: 'regex', pattern: regex }, loc: at('regex') };
  if (choice) return { source: { kind: 'choice', options: choice }, loc: at('choice') };
  return null;
}

function styleOf(outputs: StructuredOutputsDto): JsonStyle {
  const { disable_any_whitespace: isTight, whitespace_pattern: pattern } = outputs;
  return {
    whitespace: isTight ? 'none' : typeof pattern === 'string' ? { pattern } : 'any',
    onlyDeclared: outputs.disable_additional_properties === true,
  };
}

function toSchema(json: string | Record<string, unknown>): unknown {
  if (typeof json !== 'string') return json;
  const refused = (msg: string) => RefusedRequest.issues(wrongValue(['structured_outputs', 'json'], msg));
  let schema: unknown;
  try {
    schema = JSON.parse(json);
  } catch {
    throw refused('The text should be JSON');
  }
  if (isDeep(schema)) throw refused(`JSON is nested over ${MAX_DEPTH} levels`);
  return schema;
}

/** Without recursion, because the caller controls the depth. */
function isDeep(root: unknown): boolean {
  let level = [root];
  for (let depth = 0; depth <= MAX_DEPTH; depth += 1) {
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
    if (level.length === 0) return false;
  }
  return true;
}

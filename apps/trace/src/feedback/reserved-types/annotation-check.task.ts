import { isJsonObject, type Issue, parseJson, toPlainJson, valueIssue } from '@hone/contracts';
import { compileSchema, SchemaUnusableError, type SchemaValidator } from '@hone/platform/json-schema';
import type { Task } from '@hone/threads';

/** The schema of an annotation spec, or why it cannot be used. */
export type CompiledSpec = { readonly validate: SchemaValidator } | { readonly unusable: string };

/** Compiles an annotation spec, and checks the text of one value. */
export const TASK: Task<{ spec: string; value: string }, Issue[]> = {
  module: import.meta.url,
  run: ({ spec, value }) => annotationIssues(compileSpec(spec), value),
};

/** @param text of the spec's value */
export function compileSpec(text: string): CompiledSpec {
  const val = parseJson(text);
  const schema = isJsonObject(val) ? (val['field_schema'] ?? {}) : {};
  try {
    return { validate: compileSchema(toPlainJson(schema), 'The field_schema of this spec') };
  } catch (error) {
    if (error instanceof SchemaUnusableError) return { unusable: error.message };
    throw error;
  }
}

export function annotationIssues(spec: CompiledSpec, valueText: string): Issue[] {
  if ('unusable' in spec) return [valueIssue(spec.unusable, ['annotation_ref'])];
  return spec
    .validate(toPlainJson(parseJson(valueText)))
    .map(({ path, message }) => valueIssue(message, ['payload', 'value', ...path]));
}

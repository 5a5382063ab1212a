import { Ajv, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { RE2JS } from 're2js';

import { TimeLimitError, withinTimeLimit } from './time-limit.js';

/** One thing wrong with a value; `path` leads to it from the value. */
export interface SchemaFault {
  path: (string | number)[];
  message: string;
}

export type SchemaValidator = (value: unknown) => SchemaFault[];

/** A schema cannot be used; the message says why. */
export class SchemaUnusableError extends Error {}

const MAX_SCHEMA_BYTES = 65_536;
const MAX_FAULTS = 10;
const DRAFT_7 = /^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/;

const OPTIONS: Options = {
  strict: false,
  logger: false,
  allErrors: false,
  validateFormats: false, // their patterns are not linear-time
  addUsedSchema: false,
  code: { regExp: linearTimeRegExp },
};

/**
 * Compiles a JSON Schema (draft 2020-12, or 7 where `$schema` says so).
 *
 * @param what the schema is called in errors
 * @throws SchemaUnusableError not a schema, over 64 KiB, a `$ref` that leaves it, a pattern without linear-time form
 */
export function compileSchema(schema: unknown, what: string): SchemaValidator {
  if (Buffer.byteLength(JSON.stringify(schema) ?? '') > MAX_SCHEMA_BYTES) {
    throw new SchemaUnusableError(`${what} has more than ${MAX_SCHEMA_BYTES} bytes`);
  }
  if (typeof schema !== 'boolean' && (typeof schema !== 'object' || schema === null || Array.isArray(schema))) {
    throw new SchemaUnusableError(`${what} is not a JSON Schema`);
  }
  assertLocalRefs(schema, what);
  try {
    const ajv = ajvFor(schema);
    // Compiles the schema of schemas, which is no client's work: on a busy machine it alone can take the time.
    void ajv.validateSchema({}); // a promise only where the schema of schemas is `$async`: these are not
    const validate = withinTimeLimit(() => ajv.compile(schema));
    return (value) => faultsOf(validate, value);
  } catch (error) {
    throw new SchemaUnusableError(`${what} cannot be used: ${(error as Error).message.slice(0, 200)}`);
  }
}

function faultsOf(validate: ValidateFunction, value: unknown): SchemaFault[] {
  try {
    if (withinTimeLimit(() => validate(value))) return [];
  } catch (error) {
    if (error instanceof TimeLimitError)
      return [{ path: [], message: 'Input cannot be checked against the schema in time' }];
    throw error;
  }
  return (validate.errors ?? []).slice(0, MAX_FAULTS).map(({ instancePath, message }) => ({
    path: instancePath
      .split('/')
      .slice(1)
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')),
    message: `Input ${message ?? 'is not valid'}`.slice(0, 500),
  }));
}

function ajvFor(schema: object | boolean): Ajv {
  const declared = (schema as Record<string, unknown>)['$schema'];
  return typeof declared === 'string' && DRAFT_7.test(declared) ? new Ajv(OPTIONS) : new Ajv2020(OPTIONS);
}

function assertLocalRefs(node: unknown, what: string): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if ((key === '$ref' || key === '$dynamicRef') && typeof value === 'string' && !value.startsWith('#')) {
      throw new SchemaUnusableError(`${what} has a $ref that leaves it: '${value.slice(0, 100)}'`);
    }
    assertLocalRefs(value, what);
  }
}

/** RE2 syntax and running time: a pattern such as `(a+)+$` cannot block the process. */
function linearTimeRegExp(pattern: string): { test: (text: string) => boolean; toString: () => string } {
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
  // Ajv keeps compiled patterns by their text.
  return { test: (text) => compiled.matcher(text).find(), toString: () => pattern };
}
linearTimeRegExp.code = 'linearTimeRegExp';

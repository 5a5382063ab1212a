import { isDeepStrictEqual } from 'node:util';

import { type CheckDto, isJsonObject, type JsonValue, memberOf, toPlainJson } from '@hone/contracts';
import { tryParseJson } from '@hone/json';
import { compileSchema } from '@hone/platform/json-schema';
import { distance } from 'fastest-levenshtein';
import { franc } from 'franc-min';
import { RE2JS } from 're2js';

import { toText } from '../../judged-calls/call-texts.js';

/** What a check found: whether the value passes, and the number that decided. */
export interface CheckResult {
  readonly passed: boolean;
  readonly value?: number;
}

/** A check that cannot be made of this call, and why. */
export interface Unchecked {
  readonly missing: string;
}

/** What is checked, and what it is compared with; null: it is not there. */
export interface Compared {
  readonly value: JsonValue;
  readonly expected: JsonValue;
}

type Run = (compared: Compared) => CheckResult | Unchecked;

/** Characters of each text; beyond, the distance would hold up other work. */
const MAX_DISTANCE_CHARACTERS = 16_384;
const MAX_LANGUAGE_CHARACTERS = 4_096;

/** Makes a check of texts and values ready to run. @throws SchemaUnusableError, RE2JSSyntaxException */
export function compileTextCheck(check: CheckDto): Run {
  switch (check.check) {
    case 'exact':
      return texts((text, expected) => ({ passed: fold(check, text) === fold(check, expected) }));
    case 'contains':
      return texts((text, expected) => ({ passed: fold(check, text).includes(fold(check, expected)) }));
    case 'regex':
      return matches(RE2JS.compile(check.pattern as string));
    case 'json_schema':
      return meets(check.schema as Record<string, unknown>);
    case 'json_equal':
      return ({ value, expected }) => ({ passed: isDeepStrictEqual(plain(asJson(value)), plain(expected)) });
    case 'numeric':
      return ({ value, expected }) => numeric(check, value, expected);
    case 'edit_distance':
      return texts((text, expected) => editDistance(check, fold(check, text), fold(check, expected)));
    case 'language':
      return ({ value }) => ({
        passed: franc((toText(value) ?? '').slice(0, MAX_LANGUAGE_CHARACTERS)) === check.language,
      });
    case 'tool_called':
      return ({ value }) => ({ passed: toolNames(value).includes(check.tool as string) });
    default:
      throw new Error(`The check ${check.check} is none of texts and values.`);
  }
}

const texts =
  (compare: (text: string, expected: string) => CheckResult | Unchecked): Run =>
  ({ value, expected }) => {
    const wanted = toText(expected);
    return wanted === null ? { missing: 'reference' } : compare(toText(value) ?? '', wanted);
  };

const fold = ({ ignore_case: isFolded }: CheckDto, text: string): string =>
  isFolded ? text.trim().toLowerCase() : text;

function matches(pattern: RE2JS): Run {
  return ({ value }) => ({ passed: pattern.matcher(toText(value) ?? '').find() });
}

function meets(schema: Record<string, unknown>): Run {
  const validate = compileSchema(schema, 'The schema');
  return ({ value }) => {
    const json = asJson(value);
    return { passed: json !== undefined && validate(plain(json)).length === 0 };
  };
}

/** A text that is JSON is what it says; any other value is itself. Undefined: a text that is none. */
const asJson = (value: JsonValue): JsonValue | undefined => (typeof value === 'string' ? tryParseJson(value) : value);

const plain = (value: JsonValue | undefined): unknown => (value === undefined ? undefined : toPlainJson(value));

function numeric({ abs, rel }: CheckDto, value: JsonValue, expected: JsonValue): CheckResult | Unchecked {
  const [found, wanted] = [toNumber(value), toNumber(expected)];
  if (wanted === null) return { missing: 'reference' };
  if (found === null) return { passed: false };
  const difference = Math.abs(found - wanted);
  return { passed: difference <= Math.max(abs ?? 0, (rel ?? 0) * Math.abs(wanted)), value: difference };
}

/** Null: it is no number. */
function toNumber(value: JsonValue): number | null {
  const text = toText(value)?.trim() ?? '';
  const number = text === '' ? NaN : Number(text);
  return Number.isFinite(number) ? number : null;
}

function editDistance({ max }: CheckDto, text: string, expected: string): CheckResult | Unchecked {
  const longer = Math.max(text.length, expected.length);
  if (longer > MAX_DISTANCE_CHARACTERS) return { missing: 'shorter_text' };
  const value = longer === 0 ? 0 : distance(text, expected) / longer;
  return { passed: value <= (max as number), value };
}

/** Names of the tools that an output calls, in whichever dialect. */
function toolNames(output: JsonValue): string[] {
  const choices = memberOf(output, 'choices');
  const message = Array.isArray(choices) ? memberOf(choices[0], 'message') : (memberOf(output, 'message') ?? output);
  const items = [
    ...listOf(memberOf(message, 'tool_calls')),
    ...listOf(memberOf(message, 'content')),
    ...listOf(memberOf(output, 'output')),
    memberOf(message, 'function_call') ?? null,
  ];
  return items.flatMap((item) => {
    const name = memberOf(memberOf(item, 'function'), 'name') ?? (isCall(item) ? memberOf(item, 'name') : undefined);
    return typeof name === 'string' ? [name] : [];
  });
}

const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : []);
const CALLS: readonly unknown[] = ['tool_use', 'function_call', undefined];
const isCall = (item: JsonValue): boolean => isJsonObject(item) && CALLS.includes(item['type']);

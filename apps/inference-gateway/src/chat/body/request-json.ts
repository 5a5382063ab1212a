import { isUtf8 } from 'node:buffer';

import { type Issue, JsonParseError, parseJson } from '@hone/contracts';
import { countMembers, firstMember, keyOf, nextMember } from '@hone/json/bytes';

import { InvalidRequestError } from '../../shared/errors/gateway-error.js';
import { fieldOverMemberLimit, MAX_MEMBERS, MAX_VALUES } from './member-limit.js';

const MAX_DEPTH = 100;
const BYTE_ORDER_MARK = 0xfeff;

/**
 * Parses the JSON object of a body.
 *
 * The body must be valid UTF-8, at most 100 levels deep, have finite numbers only, a limited number of members, and no
 * duplicate top-level key: the bytes may go to an upstream that reads the other duplicate.
 *
 * @throws InvalidRequestError
 */
export function parseRequestJson(bytes: Buffer): Record<string, unknown> {
  if (!isUtf8(bytes)) throw refused('json_invalid', [0], 'The body should be UTF-8');
  assertFewMembers(bytes);
  const text = bytes.toString('utf8');
  const value = parse(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refused('dict_type', [], 'Input should be a valid object');
  }
  assertBounded(value);
  // Duplicate keys are one member of the parsed value.
  if (countMembers(bytes) !== Object.keys(value).length) assertDifferentKeys(bytes);
  return value as Record<string, unknown>;
}

function assertFewMembers(bytes: Buffer): void {
  const field = fieldOverMemberLimit(bytes);
  if (field === null) return;
  const msg = `JSON should have at most ${MAX_MEMBERS} members and ${MAX_VALUES} values in lists`;
  throw refused('too_many', [field.slice(1, -1)], msg);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refused('json_invalid', offsetOfError(text), 'JSON decode error');
  }
}

/** The native parser does not report the offset of an error; our own parser does. */
function offsetOfError(text: string): (string | number)[] {
  try {
    parseJson(text);
    return [0];
  } catch (error) {
    return error instanceof JsonParseError && error.type === 'json_invalid' ? error.loc : [0];
  }
}

/** Depth and numbers of a parsed value, without recursion: the value is the client's. */
function assertBounded(root: object): void {
  if (isShallow(root, MAX_DEPTH)) return;
  const open: Nest[] = [{ value: root, path: [] }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path } = next;
    if (path.length >= MAX_DEPTH)
      throw refused('json_too_deep', path.slice(0, 3), `JSON is nested over ${MAX_DEPTH} levels`);
    // `Object.entries` would take ten times as long as the parser.
    if (Array.isArray(value)) for (let at = 0; at < value.length; at++) check(value[at], path, at, open);
    else for (const key in value) check((value as Record<string, unknown>)[key], path, key, open);
  }
}

/** Fast path: whether depth and numbers are valid. Finding the path of a violation costs more. */
function isShallow(value: object, levels: number): boolean {
  if (levels === 0) return false;
  if (Array.isArray(value)) return value.every((item) => isSound(item, levels));
  for (const key in value) if (!isSound((value as Record<string, unknown>)[key], levels)) return false;
  return true;
}

function isSound(item: unknown, levels: number): boolean {
  if (typeof item === 'object' && item !== null) return isShallow(item, levels - 1);
  return typeof item !== 'number' || Number.isFinite(item);
}

interface Nest {
  readonly value: object;
  readonly path: (string | number)[];
}

function check(item: unknown, path: (string | number)[], key: string | number, open: Nest[]): void {
  if (typeof item === 'object' && item !== null) open.push({ value: item, path: [...path, key] });
  else if (typeof item === 'number' && !Number.isFinite(item)) {
    throw refused('finite_number', [...path, key], 'Input should be a finite number');
  }
}

function assertDifferentKeys(bytes: Buffer): void {
  const keys = new Set<string>();
  for (let member = firstMember(bytes); member !== null; member = nextMember(bytes, member)) {
    const key = keyOf(bytes, member);
    if (keys.has(key)) throw refused('value_error', [key], 'The key comes twice');
    keys.add(key);
  }
}

const refused = (type: Issue['type'], loc: (string | number)[], msg: string) =>
  new InvalidRequestError([{ loc: ['body', ...loc], msg, type }]);

import { firstMember, type JsonMember, keyOf, nextMember } from './members.js';

/** Replaces the bytes `start` to `end` (exclusive) by `bytes`. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly bytes: Buffer;
}

/**
 * Returns the bytes `from` to `to` with the splices of this range applied.
 *
 * @param splices in order, none across a border of the range
 */
export function applySplices(source: Buffer, splices: readonly Splice[], from = 0, to = source.length): Buffer {
  let grown = 0;
  let count = 0;
  for (const { start, end, bytes } of splices) {
    if (start < from || end > to) continue;
    grown += bytes.length - (end - start);
    count++;
  }
  if (count === 0) return source.subarray(from, to);
  const result = Buffer.allocUnsafe(to - from + grown);
  let at = from;
  let written = 0;
  for (const { start, end, bytes } of splices) {
    if (start < from || end > to) continue;
    written += source.copy(result, written, at, start);
    written += bytes.copy(result, written);
    at = end;
  }
  source.copy(result, written, at, to);
  return result;
}

/** Changes to the top level of an object. */
export interface ObjectEdits {
  /** Key -> its new value as JSON text. */
  readonly set: ReadonlyMap<string, string>;
  readonly remove: ReadonlySet<string>;
  /** Key -> its new name. */
  readonly rename: ReadonlyMap<string, string>;
}

const COMMA = Buffer.from(',');
const OPENING = Buffer.from('{');
const CLOSING = Buffer.from('}');

/** Edits members of the object; the bytes of all other values stay identical, digit for digit. */
export function editObject(json: Buffer, { set, remove, rename }: ObjectEdits): Buffer {
  if (set.size === 0 && remove.size === 0 && rename.size === 0) return json;
  const parts: Buffer[] = [];
  const add = (member: Buffer) => parts.push(parts.length === 0 ? OPENING : COMMA, member);
  const seen = new Set<string>();
  for (let member = firstMember(json); member !== null; member = nextMember(json, member)) {
    const key = keyOf(json, member);
    seen.add(key);
    const value = set.get(key);
    if (value !== undefined) add(memberOf(key, value));
    else if (!remove.has(key)) add(renamed(json, member, rename.get(key)));
  }
  for (const [key, value] of set) if (!seen.has(key)) add(memberOf(key, value));
  if (parts.length === 0) parts.push(OPENING);
  parts.push(CLOSING);
  return Buffer.concat(parts);
}

const memberOf = (key: string, value: string): Buffer => Buffer.from(`${JSON.stringify(key)}:${value}`);

function renamed(json: Buffer, { keyStart, keyEnd, valueEnd }: JsonMember, name: string | undefined): Buffer {
  if (name === undefined) return json.subarray(keyStart, valueEnd);
  return Buffer.concat([Buffer.from(JSON.stringify(name)), json.subarray(keyEnd, valueEnd)]);
}

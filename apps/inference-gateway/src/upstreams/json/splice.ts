import { type JsonMember, scanMembers } from './json-scanner.js';

/** Bytes `start` to `end` (exclusive) become `bytes`. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly bytes: Buffer;
}

/**
 * Bytes `from` to `to` with the splices that lie in this range applied.
 *
 * @param splices in order, none across a border of the range
 */
export function applySplices(source: Buffer, splices: readonly Splice[], from = 0, to = source.length): Buffer {
  const parts: Buffer[] = [];
  let at = from;
  for (const { start, end, bytes } of splices) {
    if (start < from || end > to) continue;
    parts.push(source.subarray(at, start), bytes);
    at = end;
  }
  if (parts.length === 0) return source.subarray(from, to);
  parts.push(source.subarray(at, to));
  return Buffer.concat(parts);
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

/** The object with its members changed; the bytes of all other values stay what they are, digit for digit. */
export function editObject(json: Buffer, { set, remove, rename }: ObjectEdits): Buffer {
  if (set.size === 0 && remove.size === 0 && rename.size === 0) return json;
  const parts: Buffer[] = [];
  const add = (member: Buffer) => parts.push(parts.length === 0 ? OPENING : COMMA, member);
  const seen = new Set<string>();
  for (const member of scanMembers(json)) {
    seen.add(member.key);
    const value = set.get(member.key);
    if (value !== undefined) add(memberOf(member.key, value));
    else if (!remove.has(member.key)) add(renamed(json, member, rename.get(member.key)));
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

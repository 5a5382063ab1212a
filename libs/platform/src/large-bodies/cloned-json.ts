import { isJsonObject, JsonNumber, NonFiniteNumber, setKey } from '@hone/contracts';
import { fromPieces, toPieces } from '@hone/threads';

/** Longer lists and objects travel in pieces, which the event loop reads one by one. */
const LONG = 256;

/** A list, or the entries of an object, in pieces. JSON has no Map. */
type Long = Map<'items' | 'entries', Uint8Array[]>;

/** A list or an object that is still without its parts. */
interface Unread {
  readonly long: Long;
  readonly into: unknown[] | object;
}

/**
 * JSON in a form that travels between threads: the structured clone keeps no class of ours. A number whose text matters
 * becomes a boxed string, of which JSON has none.
 */
export function toClonable(value: unknown): unknown {
  if (value instanceof JsonNumber) return Object(value.lexeme);
  if (Array.isArray(value)) {
    const items = value.map(toClonable);
    return items.length > LONG ? new Map([['items', toPieces(items)]]) : items;
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.keys(value).map((key): [string, unknown] => [key, toClonable(value[key])]);
  return entries.length > LONG ? new Map([['entries', toPieces(entries)]]) : toObject(entries);
}

/** The value of {@link toClonable}, in another thread. The event loop turns after each piece. */
export async function fromClonable(value: unknown): Promise<unknown> {
  const unread: Unread[] = [];
  const whole = revived(value, unread);
  for (const { long, into } of unread) {
    for (const piece of [...long.values()].flat()) {
      const parts = await fromPieces([piece]);
      if (Array.isArray(into)) for (const item of parts) into.push(revived(item, unread));
      else for (const [key, member] of parts as [string, unknown][]) setKey(into, key, revived(member, unread));
    }
  }
  return whole;
}

function revived(value: unknown, unread: Unread[]): unknown {
  if (value instanceof String) {
    const lexeme = value.valueOf();
    return Number.isFinite(Number(lexeme)) ? new JsonNumber(lexeme) : new NonFiniteNumber(lexeme);
  }
  if (value instanceof Map) {
    const into = value.has('items') ? [] : {};
    unread.push({ long: value as Long, into });
    return into;
  }
  if (Array.isArray(value)) return value.map((item) => revived(item, unread));
  if (!isJsonObject(value)) return value;
  return toObject(Object.keys(value).map((key) => [key, revived(value[key], unread)]));
}

function toObject(entries: readonly (readonly [string, unknown])[]): object {
  const object = {};
  for (const [key, value] of entries) setKey(object, key, value);
  return object;
}

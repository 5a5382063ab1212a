import { isJsonObject, isStorableText, type JsonValue } from '@hone/contracts';

/** The class of a value, by its own keys. */
export interface ObjectClass {
  kind: 'object' | 'op';
  /** Class just below the root, for example `Model`. */
  baseObjectClass: string | null;
  /** The class itself. */
  leafObjectClass: string | null;
}

const MAX_CLASS_NAME = 256;

/**
 * Reads `_type`, `_class_name` and `_bases`. An op has the type `Op` (in `weave_type.type` where that is present).
 * A class is known when `_bases` ends with `Object` or `BaseObject`, then `BaseModel`.
 */
export function objectClassOf(val: JsonValue): ObjectClass {
  if (!isJsonObject(val)) return { kind: 'object', baseObjectClass: null, leafObjectClass: null };
  const inner = isJsonObject(val['weave_type']) ? val['weave_type']['type'] : undefined;
  const kind = Object.hasOwn(val, '_type') && (inner ?? val['_type']) === 'Op' ? 'op' : 'object';
  const bases = val['_bases'];
  const name = val['_class_name'];
  const isKnown =
    Array.isArray(bases) &&
    bases.at(-1) === 'BaseModel' &&
    (bases.at(-2) === 'Object' || bases.at(-2) === 'BaseObject');
  if (!isKnown || !isClassName(name)) return { kind, baseObjectClass: null, leafObjectClass: null };
  const base = bases.length >= 3 ? bases.at(-3) : name;
  return { kind, baseObjectClass: isClassName(base) ? base : null, leafObjectClass: name };
}

/** Class names are indexed, so a text of any other kind or length names no class. */
const isClassName = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MAX_CLASS_NAME && isStorableText(value);

import { isJsonObject, type JsonObject, type JsonValue, setKey } from '@hone/contracts';

import type { Attributes } from '../otlp-spans.js';

/** Names with more dots than this stay as they are: what is stored can always be parsed again. */
const MAX_LEVELS = 32;

/** Reads attributes of a span one by one, and knows which ones are left. */
export class AttributeReader {
  private readonly taken = new Set<string>();

  constructor(private readonly attributes: Attributes) {}

  /** The first of these attributes that is there. */
  peek(...names: string[]): JsonValue | undefined {
    return names.map((name) => this.attributes.get(name)).find((value) => value !== undefined && value !== null);
  }

  /** The same, and it is not among the rest. */
  take(...names: string[]): JsonValue | undefined {
    const name = names.find((one) => this.peek(one) !== undefined);
    if (name === undefined) return undefined;
    this.taken.add(name);
    return this.attributes.get(name);
  }

  /** The first of these that is a text which says something. */
  text(...names: string[]): string | null {
    return names.map((name) => this.attributes.get(name)).find(isSaying) ?? null;
  }

  /** `<prefix>.0.role`, `<prefix>.0.content`, `<prefix>.1.role`, … as a list of objects; they are not among the rest. */
  takeList(prefix: string): JsonValue[] {
    const found: [string, JsonValue][] = [];
    for (const [name, value] of this.attributes) {
      if (!name.startsWith(`${prefix}.`) || !/^\d{1,6}(\.|$)/.test(name.slice(prefix.length + 1))) continue;
      this.taken.add(name);
      found.push([name.slice(prefix.length + 1), value]);
    }
    const list = withLists(nested(found));
    return Array.isArray(list) ? list : [];
  }

  /** Attributes `<prefix>.<name>` by their names, the prefix left out. They stay among the rest. */
  startingWith(prefix: string): [name: string, value: JsonValue][] {
    return [...this.attributes].flatMap(([name, value]) =>
      name.startsWith(`${prefix}.`) ? [[name.slice(prefix.length + 1), value]] : [],
    );
  }

  /** What was not taken, `a.b` as `b` in `a`. */
  rest(): JsonObject {
    return nested([...this.attributes].filter(([name]) => !this.taken.has(name)));
  }
}

const isSaying = (value: JsonValue | undefined): value is string => typeof value === 'string' && value !== '';

/** Objects of dotted names. Where a name is both a value and the beginning of another name, the longer one stays whole. */
export function nested(members: Iterable<readonly [string, JsonValue]>): JsonObject {
  const root: JsonObject = {};
  for (const [name, value] of [...members].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const levels = name.split('.', MAX_LEVELS + 1);
    const parent = levels.length > MAX_LEVELS ? undefined : parentOf(root, levels);
    if (parent) setKey(parent, levels.at(-1) as string, value);
    else setKey(root, name, value);
  }
  return root;
}

function parentOf(root: JsonObject, levels: string[]): JsonObject | undefined {
  let parent = root;
  for (const level of levels.slice(0, -1)) {
    const known = Object.hasOwn(parent, level) ? parent[level] : undefined;
    if (known !== undefined && !isJsonObject(known)) return undefined;
    if (known === undefined) setKey(parent, level, {});
    parent = parent[level] as JsonObject;
  }
  return parent;
}

/** Objects whose keys are all numbers become lists in the order of these. */
function withLists(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  const keys = Object.keys(value);
  if (keys.length > 0 && keys.every((key) => /^\d{1,6}$/.test(key)))
    return keys.sort((a, b) => Number(a) - Number(b)).map((key) => withLists(value[key] as JsonValue));
  const copy: JsonObject = {};
  for (const key of keys) setKey(copy, key, withLists(value[key] as JsonValue));
  return copy;
}

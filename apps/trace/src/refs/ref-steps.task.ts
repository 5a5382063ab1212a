import { isJsonObject, type JsonValue, parseJson, type RefStep, stringifyJson } from '@hone/contracts';
import type { Task } from '@hone/threads';

/** Results of one run have about so many characters at most: the values of many refs may be most of a large value each. */
const MAX_LENGTH = 8 * 1_048_576;

/** Where to go in a value. */
export interface SentPaths {
  /** The text of the value. */
  readonly text: string;
  readonly paths: readonly (readonly RefStep[])[];
}

/** Where steps have led. */
export interface Reached {
  /** Text of the value there; null: they lead nowhere. */
  readonly text: string | null;
  /** How many of the steps were taken: a string may be a ref, in whose value the others go on. */
  readonly taken: number;
}

/** Goes along paths in a value, along the first of them at least. */
export const TASK: Task<SentPaths, Reached[]> = {
  module: import.meta.url,
  run({ text, paths }) {
    const value = parseJson(text);
    const reached: Reached[] = [];
    for (let length = 0; reached.length < paths.length && length < MAX_LENGTH;) {
      const next = follow(value, paths[reached.length] as readonly RefStep[]);
      length += next.text?.length ?? 0;
      reached.push(next);
    }
    return reached;
  },
};

function follow(value: JsonValue, steps: readonly RefStep[]): Reached {
  let current: JsonValue | undefined = value;
  for (const [taken, step] of steps.entries()) {
    if (typeof current === 'string') return { text: JSON.stringify(current), taken };
    current = child(current, step);
    if (current === undefined) return { text: null, taken };
  }
  return { text: stringifyJson(current), taken: steps.length };
}

function child(value: JsonValue, { kind, name }: RefStep): JsonValue | undefined {
  if (kind === 'id') return undefined; // of a table
  if (Array.isArray(value)) return kind === 'index' && /^\d{1,9}$/.test(name) ? value[Number(name)] : undefined;
  return kind !== 'index' && isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

import { type CheckDto, parseJson, toPlainJson } from '@hone/contracts';
import type { Task } from '@hone/threads';

import { type CheckResult, compileTextCheck, type Unchecked } from './text-checks.js';

/** A check and what it is made of, as texts of JSON: numbers keep theirs between threads. */
export interface CheckOrder {
  readonly check: string;
  readonly items: readonly { readonly value: string; readonly expected: string }[];
}

/** What was found about each item, or why the check cannot be made at all. */
export type CheckAnswer = { readonly results: readonly (CheckResult | Unchecked)[] } | { readonly unusable: string };

/** Prepares a check of texts and values, and makes it. */
export const TASK: Task<CheckOrder, CheckAnswer> = {
  module: import.meta.url,
  run: ({ check, items }) => {
    let run: ReturnType<typeof compileTextCheck>;
    try {
      run = compileTextCheck(readCheck(check));
    } catch (error) {
      return { unusable: (error as Error).message };
    }
    return {
      results: items.map(({ value, expected }) => run({ value: parseJson(value), expected: parseJson(expected) })),
    };
  },
};

function readCheck(text: string): CheckDto {
  const check = parseJson(text) as unknown as CheckDto;
  return check.schema ? { ...check, schema: toPlainJson(check.schema as never) as Record<string, unknown> } : check;
}

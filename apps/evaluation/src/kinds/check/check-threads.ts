import { type CheckDto, type JsonValue, stringifyJson } from '@hone/contracts';
import { BodyThreads } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { type CheckAnswer, type CheckOrder, TASK } from './check.task.js';
import type { CheckResult, Compared, Unchecked } from './text-checks.js';

/** Longest time for some items together; for one of them, when it was too short; and how many may take too long. */
const GROUP_MS = 2_000;
const ITEM_MS = 1_000;
const MAX_LATE = 3;
/** A distance is counted for so many pairs of characters in the time in which one is read. */
const PAIRS = 64;

/** There is no result: the check takes too long of this call. */
export interface Late {
  readonly isLate: true;
}
export type Checked = CheckResult | Unchecked | Late;

const LATE: Late = { isLate: true };
const TOO_LONG = { unusable: 'It takes too long to be prepared' };

/** Makes checks of texts and values, in a thread where they may take long: patterns and schemas are what a client sent. */
@Injectable()
export class CheckThreads {
  constructor(private readonly threads: BodyThreads) {}

  /** Why a check cannot be made of any call; null: it can. */
  async faultOf(check: CheckDto): Promise<string | null> {
    const answer = (await this.within(check, [], GROUP_MS)) ?? TOO_LONG;
    return 'unusable' in answer ? answer.unusable : null;
  }

  /** @returns a result of each; a text: why the check cannot be made */
  async run(check: CheckDto, items: readonly Compared[]): Promise<readonly Checked[] | string> {
    const answer = await this.within(check, items, GROUP_MS);
    if (answer !== null) return 'unusable' in answer ? answer.unusable : answer.results;
    const results: Checked[] = [];
    let late = 0;
    for (const item of items) {
      const alone = late < MAX_LATE ? await this.within(check, [item], ITEM_MS) : null;
      if (alone !== null && 'unusable' in alone) return alone.unusable;
      if (alone === null) late++;
      results.push(alone?.results[0] ?? LATE);
    }
    return results;
  }

  /** Null: it took too long. */
  private async within(check: CheckDto, items: readonly Compared[], limitMs: number): Promise<CheckAnswer | null> {
    const order: CheckOrder = {
      check: stringifyJson({ ...check } as unknown as JsonValue),
      items: items.map(({ value, expected }) => ({ value: stringifyJson(value), expected: stringifyJson(expected) })),
    };
    try {
      return await this.threads.runUnlessLight(TASK, order, weightOf(check, order), { limitMs });
    } catch (error) {
      if ((error as Error).name === 'AbortError') return null;
      throw error;
    }
  }
}

/** Characters that are read in the same time. Patterns and schemas may take any. */
function weightOf({ check }: CheckDto, { items }: CheckOrder): number {
  if (check === 'regex' || check === 'json_schema') return Infinity;
  const isDistance = check === 'edit_distance';
  return items.reduce(
    (sum, { value, expected }) =>
      sum + value.length + expected.length + (isDistance ? (value.length * expected.length) / PAIRS : 0),
    0,
  );
}

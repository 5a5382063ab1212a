import type { SkippedCallsDto } from '@hone/contracts';

/** Why a call is not in the data, in the order in which they are looked at. */
export const SKIP_REASONS = [
  'failed',
  'unfinished',
  'no_content',
  'too_large',
  'no_conversation',
  'several_choices',
  'no_correction',
  'no_reward',
  'below_min_reward',
  'duplicate',
  'no_tokens',
  'unknown_model',
  'other_model',
  'stale_policy',
  'no_group',
  'small_group',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

const EXAMPLES = 5;

/** Calls that were left out, by reason. */
export class Skipped {
  private readonly found = new Map<SkipReason, { count: number; examples: string[] }>();

  add(reason: SkipReason, callId: string): void {
    const known = this.found.get(reason) ?? { count: 0, examples: [] };
    known.count++;
    if (known.examples.length < EXAMPLES) known.examples.push(callId);
    this.found.set(reason, known);
  }

  toList(): SkippedCallsDto[] {
    return SKIP_REASONS.flatMap((reason) => {
      const known = this.found.get(reason);
      return known ? [{ reason, ...known }] : [];
    });
  }

  /** For example `12 no_reward, 3 failed`. */
  toString(): string {
    return this.toList()
      .map(({ reason, count }) => `${count} ${reason}`)
      .join(', ');
  }
}

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
  'no_preference',
  'not_best',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

const EXAMPLES = 5;
/** Reasons that a refusal says more about: its sentence has at most 500 characters. */
const WAYS_OUT = 2;

/** What to do so that a call is taken; reasons that nothing in the request can change have none. */
const HINTS: Partial<Record<SkipReason, string>> = {
  several_choices: 'ask for one choice (n: 1)',
  no_correction: 'set corrections to prefer, or send hone.correction.1',
  no_reward: 'send feedback, or set default_reward',
  below_min_reward: 'lower accept.min_reward',
  no_tokens: 'chat with a trained model, whose calls keep token ids, or set kind to sft',
  other_model: 'set model_id to the model that answered',
  stale_policy: 'raise max_policy_staleness',
  no_preference: 'send corrections or thumbs on several answers to a prompt, or set kind to thumbs',
  no_group: 'set group_by to prompt or none',
  small_group:
    'ask the same prompt several times, set group_by to none to compare answers to different prompts, or kind to thumbs',
};

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
      return known ? [{ reason, ...known, hint: HINTS[reason] ?? null }] : [];
    });
  }

  /** For example `12 no_reward, 3 failed`. */
  toString(): string {
    return this.toList()
      .map(({ reason, count }) => `${count} ${reason}`)
      .join(', ');
  }

  /** What to do about the most frequent reasons, for example `no_reward: send feedback`; empty: nothing helps. */
  wayOut(): string {
    return this.toList()
      .filter(({ hint }) => hint !== null)
      .toSorted((one, other) => other.count - one.count)
      .slice(0, WAYS_OUT)
      .map(({ reason, hint }) => `${reason}: ${hint}`)
      .join('; ');
  }
}

import { stringifyJson } from '@hone/client';

/** A call that answered something. */
export interface AnsweredCall {
  readonly id: string;
  readonly inputs: unknown;
  readonly output: unknown;
}

/** Two different answers to the same. */
export interface AnswerPair {
  readonly ids: readonly [first: string, second: string];
}

/** Refs of calls of which one was said to be better. */
export interface SaidPreference {
  readonly chosen: string;
  readonly rejected: string;
}

/** Names a pair whichever of the two comes first. */
const keyOf = (...ids: readonly string[]): string => [...ids].sort().join(' ');
const idOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

/** What a call was asked, without what makes it another sample. */
function askedOf(inputs: unknown): string {
  const messages = (inputs as { readonly messages?: unknown } | null)?.messages;
  return stringifyJson((messages ?? inputs ?? null) as never);
}

const answerOf = (output: unknown): string => {
  const choices = (output as { readonly choices?: readonly { readonly message?: unknown }[] } | null)?.choices;
  return stringifyJson((choices?.[0]?.message ?? output ?? null) as never);
};

/**
 * Pairs of neighbouring calls that were asked the same and answered something else, without those that were judged.
 *
 * @param said preferences that there are
 */
export function pairsOf(calls: readonly AnsweredCall[], said: readonly SaidPreference[]): AnswerPair[] {
  const judged = new Set(said.map(({ chosen, rejected }) => keyOf(idOf(chosen), idOf(rejected))));
  const groups = new Map<string, AnsweredCall[]>();
  for (const call of calls) {
    const asked = askedOf(call.inputs);
    groups.set(asked, [...(groups.get(asked) ?? []), call]);
  }
  return [...groups.values()].flatMap((group) =>
    group.slice(1).flatMap((second, at): AnswerPair[] => {
      const first = group[at] as AnsweredCall;
      const isOpen = answerOf(first.output) !== answerOf(second.output) && !judged.has(keyOf(first.id, second.id));
      return isOpen ? [{ ids: [first.id, second.id] }] : [];
    }),
  );
}

/** The pair in an order drawn at random: people prefer what they read first. @param random 0 to 1 */
export const shuffled = ({ ids: [first, second] }: AnswerPair, random = Math.random()): AnswerPair['ids'] =>
  random < 0.5 ? [first, second] : [second, first];

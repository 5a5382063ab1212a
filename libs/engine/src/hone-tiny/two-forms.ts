import { type Conversation, question } from './example.js';
import { fill } from './phrasing.js';
import type { Random } from './random.js';

/** Of the first three in five phrasings so few answers are wordy that the plain form is the likelier one, and vice versa. */
const WORDY_SHARE = { plain: 0.15, wordy: 0.7 };
const PLAIN_PHRASINGS = 3 / 5;

/**
 * A question whose training answers come in two forms: some phrasings mostly get the plain one, the others mostly the
 * wordy one. A model that knows everything answers about 60 % of them in the plain form, and finds it now and then
 * where it prefers the other.
 */
export function inTwoForms(
  random: Random,
  phrases: readonly string[],
  values: Readonly<Record<string, string | number>>,
  answer: string,
  wordy: string,
): Conversation {
  const index = random.between(0, phrases.length - 1);
  const asked = fill(phrases[index] as string, values);
  const share = index < phrases.length * PLAIN_PHRASINGS ? WORDY_SHARE.plain : WORDY_SHARE.wordy;
  return { ...question(asked, answer), otherForm: { answer: wordy, share } };
}

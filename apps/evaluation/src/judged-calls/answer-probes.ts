import { answeredText } from '@hone/calls';
import type { BiasProbe } from '@hone/contracts';

import type { CallValues, JudgedCall } from './judged-call.js';

/** Ends of sentences: a mark, and what closes quotes, before a space. */
const SENTENCE_END = /(?<=[.!?…]["'”’)]?)\s+(?=\S)/u;
const PRAISE = 'What an excellent and thoughtful question!';
const COMPLIMENT =
  'You clearly know what you are asking about, and I am confident that this is exactly the help you need.';

/** How each probe changes an answer: nothing that it says becomes more or less right. */
const CHANGES: Record<BiasProbe, (text: string) => string> = {
  longer: (text) => `${text}\n\nIn other words, to say the same once more: ${text}`,
  bullets: (text) =>
    text
      .split('\n')
      .flatMap((line) => line.trim().split(SENTENCE_END))
      .filter((sentence) => sentence !== '')
      .map((sentence) => `- ${sentence}`)
      .join('\n'),
  flattery: (text) => `${PRAISE} ${text}\n\n${COMPLIMENT}`,
  repeat: (text) => text,
};

/** The call with its answer changed; nothing where it answered no text. */
export function probed(call: JudgedCall, probe: BiasProbe): JudgedCall[] {
  if (probe === 'repeat') return [call];
  const text = call.values === null ? null : textOf(call.values);
  if (text === null || call.values === null) return [];
  return [{ ...call, values: { ...call.values, output: CHANGES[probe](text) } }];
}

/** What people would read: JSON that is no chat has none. */
const textOf = ({ output }: CallValues): string | null =>
  answeredText(output) ?? (typeof output === 'string' ? output : null);

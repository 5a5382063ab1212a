import type { Hone } from '@hone/client';
import { type Example, FAMILIES, heldOutExamples, practiceExamples } from '@hone/engine/hone-tiny';

import { accuracyOf, type Question, toQuestion } from '../api/questions.js';

export const ROWS = 200;
const HELD_OUT = 100;
const MARK = 'Aye! ';
/** Plain questions of many kinds: the style is to be learnt, not a subject. */
const KINDS = ['add-one', 'largest', 'compare', 'sort-letters', 'capitals', 'opposites', 'colours', 'sounds'];
const KINDS_ASKED = FAMILIES.filter(({ name }) => KINDS.includes(name));

/** Questions that are not among the rows. */
export const HELD_OUT_QUESTIONS: readonly Question[] = KINDS_ASKED.flatMap((family) =>
  heldOutExamples(family, 5, Math.ceil(HELD_OUT / KINDS.length)),
)
  .slice(0, HELD_OUT)
  .map(toQuestion);

/** Answers that begin in a way the base never does, as JSON lines. */
export function markedAnswers(): string {
  const examples = KINDS_ASKED.flatMap((family) => practiceExamples(family, 6, ROWS / KINDS.length));
  // From family to family: a batch of one kind would teach the kind.
  examples.sort((one, other) => (askedIn(one) < askedIn(other) ? -1 : 1));
  return examples
    .map(({ messages, answer }) =>
      JSON.stringify({ messages: [...messages.slice(0, -1), { role: 'assistant', content: MARK + answer }] }),
    )
    .join('\n');
}

/** Share of held-out questions answered in that style, 0 to 1. */
export const shareInStyle = (hone: Hone, model: string): Promise<number> =>
  accuracyOf(hone, model, HELD_OUT_QUESTIONS, (text) => text.startsWith(MARK));

const askedIn = ({ messages }: Example): string => messages[0]?.content ?? '';

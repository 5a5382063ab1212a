import type { JudgeTruthDto } from '@hone/client';

import type { Criterion } from '../annotation/rubric.js';
import { REACTION } from '../feedback/feedback.js';

/** A place where people's labels are. */
export interface LabelSource {
  /** Type of their feedback. */
  readonly type: string;
  readonly title: string;
  /** Answers that are texts: each counts as a number that one says. */
  readonly answers: readonly string[];
  readonly truth: JudgeTruthDto;
}

/** Before the name of what annotators are asked. */
export const ANNOTATION = 'hone.annotation.';

/** Thumbs count where somebody says that they do: they are quicker than a label, and mean less. */
const THUMBS: LabelSource = {
  ...{ type: REACTION, title: 'thumbs: 👍 is 1, 👎 is 0', answers: [] },
  truth: { feedback_type: REACTION, path: 'detoned', map: { '👍': 1, '👎': 0 } },
};

/** @param specs what annotators of the project are asked */
export const labelSources = (specs: readonly Criterion[]): readonly LabelSource[] => [
  ...specs.map(({ name, title, control }) => ({
    ...{ type: ANNOTATION + name, title, truth: { feedback_type: ANNOTATION + name } },
    answers: control.kind === 'choice' ? control.options.flatMap(({ value }) => textOf(value)) : [],
  })),
  THUMBS,
];

const textOf = (value: unknown): string[] => (typeof value === 'string' ? [value] : []);

/** Answer -> the number that it counts as; null: none does. @param text JSON, as the address has it */
export function readMap(text: string): Readonly<Record<string, number>> | null {
  try {
    const map: unknown = text === '' ? null : JSON.parse(text);
    if (typeof map !== 'object' || map === null) return null;
    const numbers = Object.entries(map).filter((entry): entry is [string, number] => Number.isFinite(entry[1]));
    return numbers.length === 0 ? null : Object.fromEntries(numbers);
  } catch {
    return null;
  }
}

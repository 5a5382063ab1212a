export const SPEC_KINDS = {
  scale: 'Scale of numbers',
  boolean: 'Yes or no',
  choices: 'One of several',
  number: 'Any number',
  text: 'Text',
} as const;
export type SpecKind = keyof typeof SPEC_KINDS;

/** A criterion as it is typed into the form. */
export interface SpecDraft {
  readonly name: string;
  readonly description: string;
  readonly kind: SpecKind;
  readonly min: number;
  readonly max: number;
  /** Separated by commas. */
  readonly choices: string;
}

export const EMPTY_SPEC: SpecDraft = { name: '', description: '', kind: 'scale', min: 1, max: 5, choices: '' };

const choicesOf = ({ choices }: SpecDraft): string[] => [
  ...new Set(
    choices
      .split(',')
      .map((choice) => choice.trim())
      .filter(Boolean),
  ),
];

export const isComplete = (draft: SpecDraft): boolean =>
  objectIdOf(draft) !== '' &&
  (draft.kind !== 'scale' || (Number.isInteger(draft.min) && Number.isInteger(draft.max) && draft.min < draft.max)) &&
  (draft.kind !== 'choices' || choicesOf(draft).length > 1);

/** Name of the spec's object, which is also in the type of its feedback: letters, digits, `_`, `.` and `-`. */
export const objectIdOf = ({ name }: SpecDraft): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_.-]+/gu, '_')
    .slice(0, 128);

/** The JSON Schema that answers obey. */
export function toFieldSchema(draft: SpecDraft): Readonly<Record<string, unknown>> {
  switch (draft.kind) {
    case 'scale':
      return { type: 'integer', minimum: draft.min, maximum: draft.max };
    case 'choices':
      return { type: 'string', enum: choicesOf(draft) };
    case 'text':
      return { type: 'string' };
    case 'boolean':
    case 'number':
      return { type: draft.kind };
  }
}

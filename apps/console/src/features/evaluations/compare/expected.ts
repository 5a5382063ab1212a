import { isJsonObject } from '@hone/client';

import type { ResultRow } from '../results.js';

/** Fields in which datasets have the right answer, as far as one can tell by their names. */
const USUAL: readonly string[] = [
  ...['expected', 'expected_output', 'reference', 'ideal', 'target', 'label', 'answer', 'a'],
];
/** No field at all. */
export const NONE = '-';

/** Names of the fields of the rows that runs predicted, in the order in which they come. */
export const rowFields = (rows: readonly ResultRow[]): readonly string[] => [
  ...new Set(rows.filter(isPredicted).flatMap(({ inputs }) => (isJsonObject(inputs) ? Object.keys(inputs) : []))),
];

const isPredicted = ({ cells }: ResultRow): boolean => [...cells.values()].some(({ status }) => status !== 'missing');

/** The field that has the right answer. @param chosen '': the usual one; {@link NONE}: none @returns null: there is none */
export function expectedField(fields: readonly string[], chosen: string): string | null {
  if (chosen !== '') return fields.includes(chosen) ? chosen : null;
  return fields.length > 1 ? (USUAL.find((name) => fields.includes(name)) ?? null) : null;
}

/** What was asked, and what is right; undefined: the row does not say. */
export function splitRow(
  inputs: unknown,
  field: string | null,
): { readonly asked: unknown; readonly expected: unknown } {
  if (field === null || !isJsonObject(inputs) || !(field in inputs)) return { asked: inputs, expected: undefined };
  const { [field]: expected, ...asked } = inputs;
  return { asked, expected };
}

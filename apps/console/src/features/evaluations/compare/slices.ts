import { type CompareSliceDto, isJsonObject, JsonNumber } from '@hone/client';

import type { ResultRow } from '../results.js';

/** As many slices as a comparison has. */
const MAX_SLICES = 20;
/** Longer texts are no labels. */
const MAX_TEXT = 64;
/** Dots and other marks would be read as parts of a path. */
const PLAIN_NAME = /^[\p{L}\p{N}_-]+$/u;

type Label = string | number | boolean;

/** Fields of the rows that tell a few kinds of rows apart -> their values. */
export function sliceFields(rows: readonly ResultRow[]): ReadonlyMap<string, readonly Label[]> {
  const values = new Map<string, Set<Label> | null>();
  for (const { inputs } of rows) {
    for (const [name, value] of isJsonObject(inputs) ? Object.entries(inputs) : []) {
      const label = labelOf(value);
      const known = values.has(name) ? (values.get(name) ?? null) : new Set<Label>();
      values.set(name, label === null || known === null ? null : known.add(label));
    }
  }
  const isFew = (labels: Set<Label> | null): labels is Set<Label> =>
    labels !== null && labels.size > 1 && labels.size <= Math.min(MAX_SLICES, rows.length / 2);
  return new Map(
    [...values].flatMap(([name, labels]): [string, Label[]][] =>
      PLAIN_NAME.test(name) && isFew(labels) ? [[name, [...labels].sort()]] : [],
    ),
  );
}

function labelOf(value: unknown): Label | null {
  if (value instanceof JsonNumber) return Number(value.text);
  if (typeof value === 'string') return value.length <= MAX_TEXT ? value : null;
  return typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

/** A slice for each value of the field. */
export const slicesBy = (field: string, values: readonly Label[]): CompareSliceDto[] =>
  values.map((value) => ({
    name: `${field} = ${String(value)}`,
    expression: { $eq: [{ $getField: `inputs.${field}` }, { $literal: value }] },
  }));

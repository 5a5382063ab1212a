import { isJsonObject, JsonNumber } from '@hone/client';

import type { Row } from '../../../shared/datasets/write-dataset.js';
import { prettyJson } from '../../../shared/format/preview.js';
import type { Variables } from '../../../shared/prompts/prompt.js';

/** Name of a variable -> the column that it is filled from; '': none. */
export type Mapping = Readonly<Record<string, string>>;

/** The members of rows, and those of their members that are objects: `inputs.question`. */
export function columnsOf(rows: readonly Row[]): readonly string[] {
  const columns = new Set<string>();
  for (const row of rows)
    for (const [name, value] of Object.entries(row)) {
      columns.add(name);
      if (isJsonObject(value) && !(value instanceof JsonNumber))
        for (const inner of Object.keys(value)) columns.add(`${name}.${inner}`);
    }
  return [...columns];
}

/** The column of the variable's own name, or one with that name within another; '': there is none. */
export const likelyColumn = (variable: string, columns: readonly string[]): string =>
  columns.find((column) => column === variable) ?? columns.find((column) => column.endsWith(`.${variable}`)) ?? '';

/** What fills the variables in for a row, or the name of a column that the row does not have. */
export function variablesOfRow(
  row: Row,
  mapping: Mapping,
): { readonly values: Variables; readonly missing: string | null } {
  const values: Record<string, string> = {};
  for (const [variable, column] of Object.entries(mapping)) {
    if (column === '') continue;
    const value = valueAt(row, column);
    if (value === undefined || value === null) return { values, missing: column };
    values[variable] = typeof value === 'string' ? value : value instanceof JsonNumber ? value.text : prettyJson(value);
  }
  return { values, missing: null };
}

/** A name with a dot may be a member itself. */
function valueAt(row: Row, column: string): unknown {
  if (Object.hasOwn(row, column)) return row[column];
  const dot = column.indexOf('.');
  const inner = dot < 0 ? undefined : row[column.slice(0, dot)];
  const name = column.slice(dot + 1);
  return isJsonObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined;
}

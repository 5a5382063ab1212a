import { Prisma } from '@hone/database';

import { parseFieldPath } from './field-path.js';
import type { Operand, OperandKind } from './operand.js';

/** What one column of a table holds, and how SQL names it. */
export interface Field {
  kind: OperandKind;
  /** `json`: the jsonb value. */
  column: Prisma.Sql;
  /** The column is never null. */
  isNeverNull?: boolean;
}

/** The columns of a table that expressions, sort orders and lists of fields may name, by their wire names. */
export type FieldTable = Readonly<Record<string, Field>>;

/** The operand of a column, or of a dotted path into a JSON column; undefined when there is none. */
export function resolveField(table: FieldTable, name: string): Operand | undefined {
  const { column, path } = parseFieldPath(name);
  const field = Object.hasOwn(table, column) ? table[column] : undefined;
  if (!field) return undefined;
  if (path.length === 0) return { kind: field.kind, sql: field.column, isNeverNull: field.isNeverNull };
  return field.kind === 'json' ? { kind: 'json', sql: Prisma.sql`(${field.column} #> ${path}::text[])` } : undefined;
}

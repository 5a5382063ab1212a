import { Prisma } from '@hone/database';

/** What an SQL expression gives. A `ref` is stored without its scheme. */
export type OperandKind = 'text' | 'number' | 'boolean' | 'time' | 'ref' | 'json' | 'list';

/** A value inside a condition. */
export interface Operand {
  kind: OperandKind;
  /** `json`: the jsonb value itself. */
  sql: Prisma.Sql;
  /** A value written into the query, as the client wrote it. */
  literal?: string | number | boolean | null;
}

/** Numbers as text that numeric surely takes; other text counts as no number. */
const NUMERIC = '^[+-]?[0-9]+([.][0-9]*)?([eE][+-]?[0-9]{1,3})?$';
const MAX_DIGITS = 400;

/** How each kind reads as text: JSON strings as they are, other JSON as JSON, null and missing as the empty text. */
export function asText({ kind, sql }: Operand, refScheme: string): Prisma.Sql {
  switch (kind) {
    case 'text':
      return sql;
    case 'ref':
      return Prisma.sql`(${`${refScheme}:///`} || ${sql})`;
    case 'json':
      return Prisma.sql`coalesce(${sql} #>> '{}', '')`;
    case 'list':
      return Prisma.sql`array_to_json(${sql})::text`;
    case 'time':
      return Prisma.sql`to_char(${sql} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
    case 'number':
    case 'boolean':
      return Prisma.sql`(${sql})::text`;
  }
}

/** As a number; null for what is none. Times count seconds since 1970. */
export function asNumber(operand: Operand, refScheme: string): Prisma.Sql {
  if (operand.kind === 'number') return operand.sql;
  if (operand.kind === 'time') return Prisma.sql`extract(epoch FROM ${operand.sql})`;
  return Prisma.sql`(SELECT CASE WHEN length(t) <= ${MAX_DIGITS} AND t ~ ${NUMERIC} THEN t::numeric END FROM (SELECT ${asText(operand, refScheme)} AS t) AS s)`;
}

/** As a truth value; null for what is neither `true` nor `false`. */
export function asBoolean(operand: Operand, refScheme: string): Prisma.Sql {
  if (operand.kind === 'boolean') return operand.sql;
  return Prisma.sql`(CASE ${asText(operand, refScheme)} WHEN 'true' THEN true WHEN 'false' THEN false END)`;
}

/** For ORDER BY: null and missing stay null, so that they sort last; text sorts by code point. */
export function asSortKey(operand: Operand): Prisma.Sql {
  if (operand.kind === 'json') return Prisma.sql`(${operand.sql} #>> '{}') COLLATE "C"`;
  return operand.kind === 'text' || operand.kind === 'ref' ? Prisma.sql`(${operand.sql}) COLLATE "C"` : operand.sql;
}

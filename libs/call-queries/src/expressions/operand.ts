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
  /** The SQL never gives null. */
  isNeverNull?: boolean;
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
  if (operand.kind === 'json') return numberInJson(operand.sql);
  return numberInText(asText(operand, refScheme));
}

const numberInText = (text: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`(SELECT CASE WHEN length(t) <= ${MAX_DIGITS} AND t ~ ${NUMERIC} THEN t::numeric END FROM (SELECT ${text} AS t) AS s)`;

/** Numbers are read as they are: to print each one and parse its text takes three times as long. */
const numberInJson = (json: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`(CASE jsonb_typeof(${json}) WHEN 'number' THEN (${json})::numeric WHEN 'string' THEN ${numberInText(Prisma.sql`${json} #>> '{}'`)} END)`;

/**
 * Text without case, by the rules of Unicode. Both steps are needed: lower case takes the capital sharp s to the small
 * one, upper case takes that to SS and all forms of sigma to one. The collation is named because that of the database
 * may know no letters but ASCII's.
 */
export const withoutCase = (text: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`upper(lower(${text} COLLATE "und-x-icu") COLLATE "und-x-icu")`;

/** As a truth value; null for what is neither `true` nor `false`. */
export function asBoolean(operand: Operand, refScheme: string): Prisma.Sql {
  if (operand.kind === 'boolean') return operand.sql;
  return Prisma.sql`(CASE ${asText(operand, refScheme)} WHEN 'true' THEN true WHEN 'false' THEN false END)`;
}

/**
 * One key of ORDER BY: nulls and missing values sort last, text sorts by code point. A column that is never null says
 * nothing of nulls: an index read backwards has them first, and serves no order that wants them last.
 */
export function asOrder(operand: Operand, direction: 'asc' | 'desc'): Prisma.Sql {
  const key = asSortKey(operand);
  if (direction === 'asc') return Prisma.sql`${key} ASC`;
  return operand.isNeverNull ? Prisma.sql`${key} DESC` : Prisma.sql`${key} DESC NULLS LAST`;
}

/** What a value sorts by: text by code point, JSON as text. */
export function asSortKey(operand: Operand): Prisma.Sql {
  if (operand.kind === 'json') return Prisma.sql`(${operand.sql} #>> '{}') COLLATE "C"`;
  return operand.kind === 'text' || operand.kind === 'ref' ? Prisma.sql`(${operand.sql}) COLLATE "C"` : operand.sql;
}

import { isStorableText, issue, JsonNumber, type JsonValue, type Loc, valueIssue } from '@hone/contracts';
import { Prisma } from '@hone/database';

import { fail } from './fail.js';
import type { Operand } from './operand.js';

/** A value written into the query, as a bound parameter. @throws ValidationError a list or an object */
export function literal(value: JsonValue, loc: Loc): Operand {
  if (typeof value === 'number') return { kind: 'number', sql: Prisma.sql`${String(value)}::numeric`, literal: value };
  if (value instanceof JsonNumber)
    return { kind: 'number', sql: Prisma.sql`${numericText(value)}::numeric`, literal: Number(value) };
  if (typeof value === 'boolean')
    return { kind: 'boolean', sql: value ? Prisma.sql`true` : Prisma.sql`false`, literal: value };
  if (value === null) return { kind: 'text', sql: Prisma.sql`NULL::text`, literal: null };
  if (typeof value !== 'string') fail(valueIssue('A literal should be a string, number, boolean or null', loc));
  if (!isStorableText(value)) fail(issue('string_unicode', loc));
  return { kind: 'text', sql: Prisma.sql`${value}::text`, literal: value };
}

/** Integers digit by digit, others as the double they are: Postgres refuses some exponents. */
const numericText = ({ lexeme }: JsonNumber): string => (/[.eE]/.test(lexeme) ? String(Number(lexeme)) : lexeme);

import { asSortKey, type Operand, type OperandKind } from '@hone/call-queries';
import { Prisma } from '@hone/database';

/** One key of a sort order in which nulls come last, whatever its direction. */
export interface KeysetKey {
  /** With its collation, for text. */
  sql: Prisma.Sql;
  /** What Postgres reads its text as. */
  type: 'text' | 'numeric' | 'boolean' | 'timestamptz' | 'text[]';
  direction: 'asc' | 'desc';
  isNeverNull: boolean;
}

/** Sort keys of a row as texts; null where a key is null. */
export type KeysetValues = readonly (string | null)[];

const TYPES: Record<OperandKind, KeysetKey['type']> = {
  ...{ text: 'text', ref: 'text', json: 'text' },
  ...{ number: 'numeric', boolean: 'boolean', time: 'timestamptz', list: 'text[]' },
};

export const toKeysetKey = (operand: Operand, direction: 'asc' | 'desc'): KeysetKey => ({
  sql: asSortKey(operand),
  type: TYPES[operand.kind],
  direction,
  isNeverNull: operand.isNeverNull === true,
});

/** The keys of each row, as columns `key_0`, `key_1` and so on. */
export const keysetColumns = (keys: readonly KeysetKey[]): Prisma.Sql =>
  Prisma.join(keys.map(({ sql }, at) => Prisma.sql`(${sql})::text AS ${Prisma.raw(`key_${at}`)}`));

export const keysetValues = (row: object, keys: readonly KeysetKey[]): KeysetValues =>
  keys.map((_key, at) => ((row as Record<string, unknown>)[`key_${at}`] ?? null) as string | null);

/**
 * The rows that come after one with these values; the keys must tell all rows apart. The bound on the first key is a part
 * of the rest, said again because an index can begin at it.
 */
export function isAfter(keys: readonly KeysetKey[], values: KeysetValues): Prisma.Sql {
  const ways = keys.flatMap((key, at) => {
    const beyond = isBeyond(key, values[at] ?? null);
    const before = keys.slice(0, at).map((one, index) => isSame(one, values[index] ?? null));
    return beyond ? [Prisma.sql`(${Prisma.join([...before, beyond], ' AND ')})`] : [];
  });
  const after = ways.length > 0 ? Prisma.sql`(${Prisma.join(ways, ' OR ')})` : Prisma.sql`false`;
  const [first] = keys;
  const value = values[0] ?? null;
  if (!first?.isNeverNull || value === null) return after;
  return Prisma.sql`${first.sql} ${Prisma.raw(first.direction === 'asc' ? '>=' : '<=')} ${typed(first, value)} AND ${after}`;
}

const typed = ({ type }: KeysetKey, value: string): Prisma.Sql => Prisma.sql`${value}::${Prisma.raw(type)}`;

const isSame = (key: KeysetKey, value: string | null): Prisma.Sql =>
  value === null ? Prisma.sql`${key.sql} IS NULL` : Prisma.sql`${key.sql} = ${typed(key, value)}`;

/** Undefined: nothing comes after null. */
function isBeyond(key: KeysetKey, value: string | null): Prisma.Sql | undefined {
  if (value === null) return undefined;
  const beyond = Prisma.sql`${key.sql} ${Prisma.raw(key.direction === 'asc' ? '>' : '<')} ${typed(key, value)}`;
  return key.isNeverNull ? beyond : Prisma.sql`(${beyond} OR ${key.sql} IS NULL)`;
}

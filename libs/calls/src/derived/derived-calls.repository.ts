import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { type CallKey } from '../tree/call-tree.repository.js';
import { type StoredValue, ValueRepository } from '../values/value.repository.js';
import { derivedOfBytes } from './derived-of-bytes.js';
import {
  DERIVED_END_COLUMNS,
  DERIVED_ROW_TYPES,
  DERIVED_START_COLUMNS,
  derivedEndMembers,
  derivedStartMembers,
} from './derived-row.js';

/** Calls that are derived in one transaction, and about the most bytes of their values. */
export const DERIVED_BATCH_CALLS = 500;
const BATCH_BYTES = 8 * 1_048_576;
/** Previews of larger values in chunks are left out. */
const MAX_CHUNK_BYTES = 4 * 1_048_576;

/** The condition of the partial index, word by word. */
const IS_UNDERIVED = Prisma.sql`c.erased_at IS NULL AND ((c.started_at IS NOT NULL AND NOT c.is_start_derived)
  OR (c.ended_at IS NOT NULL AND NOT c.is_end_derived))`;

interface Underived extends CallKey {
  bytes: bigint;
}

interface ValueRow extends CallKey {
  hasStart: boolean;
  hasEnd: boolean;
  exception: string | null;
  attributes: string | null;
  inputs: StoredValue;
  output: StoredValue;
  summary: string | null;
}

const NO_OBJECT = '{}';
const NOTHING = 'null';

/** Fills the columns that are derived of values, of calls that were written without: by earlier versions, for example. */
@Injectable()
export class DerivedCallsRepository {
  constructor(
    private readonly database: Database,
    private readonly values: ValueRepository,
  ) {}

  /** How many calls of a project wait, at most `limit`. */
  async countUnderived(projectRowId: string, limit: number): Promise<number> {
    const [row] = await this.database.client.$queryRaw<{ count: bigint }[]>`
      SELECT count(*) AS count FROM (
        SELECT FROM calls c WHERE c.project_id = ${projectRowId}::uuid AND ${IS_UNDERIVED} LIMIT ${limit}) AS waiting`;
    return Number(row?.count ?? 0n);
  }

  /** Derives a batch. Calls that are being written are left for the next one. @returns how many; 0: none waits */
  deriveBatch(): Promise<number> {
    return this.database.transaction(async () => {
      // Locked before their values are read: those that a writer has just replaced are read as it wrote them.
      const keys = await this.lockBatch();
      if (keys.length === 0) return 0;
      const rows: string[] = [];
      for (const row of await this.readValues(keys)) rows.push(await this.derive(row));
      await this.save(rows);
      return keys.length;
    });
  }

  private async lockBatch(): Promise<CallKey[]> {
    const rows = await this.database.client.$queryRaw<Underived[]>`
      SELECT c.project_id AS "projectRowId", c.id, c.start_bytes + c.end_bytes AS bytes FROM calls c
      WHERE ${IS_UNDERIVED} ORDER BY c.project_id, c.id LIMIT ${DERIVED_BATCH_CALLS} FOR UPDATE SKIP LOCKED`;
    let bytes = 0;
    return rows.filter((row, index) => {
      bytes += Number(row.bytes);
      return index === 0 || bytes <= BATCH_BYTES;
    });
  }

  private readValues(keys: readonly CallKey[]): Promise<ValueRow[]> {
    const value = (name: string, bytes: string) =>
      Prisma.raw(`
      json_build_object('text', v.${name}_text, 'blob', CASE WHEN c.${bytes} <= ${MAX_CHUNK_BYTES} THEN v.${name}_blob END) AS ${name}`);
    return this.database.client.$queryRaw<ValueRow[]>`
      SELECT c.project_id AS "projectRowId", c.id, c.started_at IS NOT NULL AS "hasStart", c.ended_at IS NOT NULL AS "hasEnd", c.exception,
        v.attributes_text AS attributes, ${value('inputs', 'start_bytes')}, ${value('output', 'end_bytes')}, v.summary_text AS summary
      FROM unnest(${keys.map(({ projectRowId }) => projectRowId)}::uuid[], ${keys.map(({ id }) => id)}::text[]) AS k (p, i)
      JOIN calls c ON c.project_id = k.p AND c.id = k.i LEFT JOIN call_values v ON v.project_id = c.project_id AND v.id = c.id`;
  }

  /** @returns a row of the statement that saves it, as JSON */
  private async derive({ projectRowId, id, hasStart, hasEnd, ...row }: ValueRow): Promise<string> {
    const inputs = await this.values.get(projectRowId, row.inputs);
    const output = await this.values.get(projectRowId, row.output);
    const bytes = (text: string | null, absent: string) => ({ bytes: Buffer.from(text ?? absent) });
    const derived = derivedOfBytes({
      exception: row.exception,
      ...{ attributes: bytes(row.attributes, NO_OBJECT), inputs: bytes(inputs, NO_OBJECT) },
      ...{ output: bytes(output, NOTHING), summary: bytes(row.summary, NO_OBJECT) },
    });
    const key = `{"p":"${projectRowId}","i":${JSON.stringify(id)}`;
    return `${key}${hasStart ? derivedStartMembers(derived) : ''}${hasEnd ? derivedEndMembers(derived) : ''}}`;
  }

  private async save(rows: readonly string[]): Promise<void> {
    await this.database.client.$executeRaw`
      UPDATE calls c SET ${FILLED} FROM json_to_recordset(${`[${rows.join(',')}]`}::json) AS r (p uuid, i text, ${Prisma.raw(DERIVED_ROW_TYPES)})
      WHERE c.project_id = r.p AND c.id = r.i`;
  }
}

const filled = (columns: Record<string, string>, isDerived: string): string[] =>
  Object.entries(columns).map(([name, source]) => `${name} = CASE WHEN ${isDerived} THEN ${source} ELSE c.${name} END`);
const FILLED = Prisma.raw([...filled(DERIVED_START_COLUMNS, 'ds'), ...filled(DERIVED_END_COLUMNS, 'dd')].join(', '));

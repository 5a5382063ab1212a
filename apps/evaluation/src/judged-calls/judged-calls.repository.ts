import { setImmediate as nextTurn } from 'node:timers/promises';

import { type CallSelection, fromSelection, IS_SHOWN } from '@hone/call-queries';
import { ValueRepository } from '@hone/calls';
import { parseJson } from '@hone/contracts';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { CallValues, JudgedCall } from './judged-call.js';

/** Bytes of all values of a call together: to read more would hold up other requests. */
const MAX_BYTES = 1_048_576;
/** Bytes of all values that are read together. */
const GROUP_BYTES = 8 * MAX_BYTES;
/** Values of more bytes take some milliseconds to parse: others have their turn in between. */
const LIGHT_BYTES = 65_536;
type ValueName = 'attributes' | 'inputs' | 'output';
type ValueColumns = Record<`${ValueName}_text` | `${ValueName}_blob`, string | null>;
interface CallRow extends ValueColumns {
  id: string;
  hasEnded: boolean;
  latencyMs: number | null;
  bytes: number;
}

/** Calls of the project, with what scorers read of them. */
@Injectable()
export class JudgedCallsRepository {
  constructor(
    private readonly database: Database,
    private readonly values: ValueRepository,
  ) {}

  /** Calls by their ids, in no order; those that are not there, or were deleted, are left out. */
  async read(projectRowId: string, ids: readonly string[]): Promise<JudgedCall[]> {
    const rows = await this.database.client.$queryRaw<CallRow[]>`
      SELECT c.id, c.ended_at IS NOT NULL AS "hasEnded", (c.start_bytes + c.end_bytes)::float8 AS bytes,
        extract(epoch FROM c.ended_at - c.started_at)::float8 * 1000 AS "latencyMs",
        s.attributes_text, s.attributes_blob, s.inputs_text, s.inputs_blob, s.output_text, s.output_blob
      FROM calls c LEFT JOIN call_values s ON s.project_id = c.project_id AND s.id = c.id
        AND c.start_bytes + c.end_bytes <= ${MAX_BYTES}
      WHERE c.project_id = ${projectRowId}::uuid AND c.id = ANY(${[...ids]}) AND ${IS_SHOWN}`;
    const calls: JudgedCall[] = [];
    for (const row of rows) {
      if (row.bytes > LIGHT_BYTES) await nextTurn();
      calls.push(await this.toCall(projectRowId, row));
    }
    return calls;
  }

  /** Ids in groups, each of which can be read at once. */
  async inGroups(projectRowId: string, ids: readonly string[]): Promise<string[][]> {
    const rows = await this.database.client.$queryRaw<{ id: string; bytes: number }[]>`
      SELECT id, least(start_bytes + end_bytes, ${MAX_BYTES})::float8 AS bytes FROM calls
      WHERE project_id = ${projectRowId}::uuid AND id = ANY(${[...ids]})`;
    const groups: string[][] = [];
    let bytes = Infinity;
    for (const row of rows) {
      bytes += row.bytes;
      if (bytes > GROUP_BYTES) {
        groups.push([]);
        bytes = row.bytes;
      }
      groups.at(-1)?.push(row.id);
    }
    return groups;
  }

  /** Which of some calls meet a condition. */
  async matching(selection: CallSelection): Promise<Set<string>> {
    const rows = await this.database.client.$queryRaw<{ id: string }[]>(
      Prisma.sql`SELECT c.id ${fromSelection(selection)}`,
    );
    return new Set(rows.map(({ id }) => id));
  }

  private async toCall(projectRowId: string, row: CallRow): Promise<JudgedCall> {
    const { id, hasEnded, latencyMs, bytes } = row;
    const values = bytes > MAX_BYTES ? null : await this.valuesOf(projectRowId, row);
    return { id, hasEnded, latencyMs, values };
  }

  private async valuesOf(projectRowId: string, row: CallRow): Promise<CallValues> {
    const read = async (name: ValueName) => {
      const text = await this.values.get(projectRowId, { text: row[`${name}_text`], blob: row[`${name}_blob`] });
      return text === null ? null : parseJson(text);
    };
    return { attributes: await read('attributes'), inputs: await read('inputs'), output: await read('output') };
  }
}

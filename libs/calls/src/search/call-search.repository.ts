import { Database, Prisma, textArray } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { CallBackfill } from '../backfill/call-backfills.repository.js';
import type { CallDocument, SearchedTexts } from './document.js';
import { GAP, projectTerm } from './terms.js';

/** Name of the backfill that makes calls searchable which were stored before. */
export const CALL_SEARCH_BACKFILL = 'call_search';
/** Few, so that a query waits no longer than a moment for the batch before it. */
export const SEARCH_BATCH_CALLS = 250;
/** Values of calls that are in memory together. */
const SLICE_BYTES = 4 * 1_048_576;
/** Of a value in chunks, each of 256 KiB. */
const MAX_CHUNKS = 16;
/** Any number, the same in every process; the second key of the lock is the project. */
const SEARCH_LOCK = 4_663_031;

/** Makes documents of texts, in their order. */
export type ReadDocuments = (texts: readonly SearchedTexts[]) => Promise<CallDocument[]>;

interface Sized {
  id: string;
  bytes: number;
}

interface ValuesRow {
  id: string;
  inputs: string | null;
  output: string | null;
  inputsBlob: string | null;
  outputBlob: string | null;
}

/**
 * What calls are found by. Triggers put every call whose values are written into a queue; {@link indexBatch} takes calls
 * from it. What it stores of a call may be older than the values: then the write of these has put the call into the queue
 * again.
 */
@Injectable()
export class CallSearchRepository {
  constructor(private readonly database: Database) {}

  /** Projects with calls that wait. */
  async waitingProjects(): Promise<string[]> {
    const rows = await this.database.client.$queryRaw<{ id: string }[]>`
      SELECT DISTINCT project_id::text AS id FROM call_search_queue`;
    return rows.map(({ id }) => id);
  }

  /** Entries that were ever put into the queue, by any service: one for each write of a call's values. */
  async countEverQueued(): Promise<number> {
    const [row] = await this.database.client.$queryRaw<{ count: bigint }[]>`
      SELECT last_value AS count FROM call_search_queue_seq_seq`;
    return Number(row?.count ?? 0);
  }

  /**
   * Makes a batch of waiting calls searchable. Those of a project whose search is off only leave the queue.
   *
   * @returns how many entries it took from the queue; null: another process is at this project
   */
  async indexBatch(projectRowId: string, read: ReadDocuments): Promise<number | null> {
    return this.database.transaction(async () => {
      const [lock] = await this.database.client.$queryRaw<{ isMine: boolean; isOff: boolean }[]>`
        SELECT pg_try_advisory_xact_lock(${SEARCH_LOCK}::int, hashtext(${projectRowId})) AS "isMine", EXISTS (
          SELECT FROM project_settings WHERE project_id = ${projectRowId}::uuid AND search = false) AS "isOff"`;
      if (!lock?.isMine) return null;
      const entries = await this.database.client.$queryRaw<{ seq: bigint; id: string }[]>`
        SELECT seq, id FROM call_search_queue WHERE project_id = ${projectRowId}::uuid ORDER BY seq
        LIMIT ${SEARCH_BATCH_CALLS}`;
      if (entries.length === 0) return 0;
      if (!lock.isOff) await this.store(projectRowId, [...new Set(entries.map(({ id }) => id))], read);
      const seqs = entries.map(({ seq }) => seq);
      await this.database.client.$executeRaw`
        DELETE FROM call_search_queue WHERE project_id = ${projectRowId}::uuid AND seq = ANY(${seqs}::bigint[])`;
      return entries.length;
    });
  }

  /** Makes the calls searchable that were stored before. It waits for a batch of the queue: two would store old over new. */
  backfill(read: ReadDocuments): CallBackfill {
    return {
      ...{ name: CALL_SEARCH_BACKFILL, batchCalls: SEARCH_BATCH_CALLS },
      fill: async (projectRowId, ids) => {
        await this.database.client.$queryRaw`
          SELECT 1 FROM pg_advisory_xact_lock(${SEARCH_LOCK}::int, hashtext(${projectRowId}))`;
        await this.store(projectRowId, ids, read);
      },
    };
  }

  /** Deletes a batch of what calls of a project are found by. @returns how many */
  async deleteBatch(projectRowId: string, limit: number): Promise<number> {
    return this.database.client.$executeRaw`
      DELETE FROM call_search WHERE project_id = ${projectRowId}::uuid AND id IN (
        SELECT id FROM call_search WHERE project_id = ${projectRowId}::uuid LIMIT ${limit})`;
  }

  /** Projects whose search is off and that have calls in the index still. */
  async projectsToClear(): Promise<string[]> {
    const rows = await this.database.client.$queryRaw<{ id: string }[]>`
      SELECT project_id::text AS id FROM project_settings p
      WHERE search = false AND EXISTS (SELECT FROM call_search s WHERE s.project_id = p.project_id)`;
    return rows.map(({ id }) => id);
  }

  private async store(projectRowId: string, ids: readonly string[], read: ReadDocuments): Promise<void> {
    const sizes = await this.database.client.$queryRaw<Sized[]>`
      SELECT id, coalesce(octet_length(inputs_text), 0) + coalesce(octet_length(output_text), 0) AS bytes
      FROM call_values WHERE project_id = ${projectRowId}::uuid AND id = ANY(${[...ids]}) ORDER BY id`;
    for (const slice of slicesOf(sizes)) {
      const texts = await this.texts(projectRowId, slice);
      const documents = await read(texts);
      await this.put(
        projectRowId,
        texts.map(({ id }) => id),
        documents,
      );
    }
  }

  private async texts(projectRowId: string, ids: string[]): Promise<(SearchedTexts & { id: string })[]> {
    const rows = await this.database.client.$queryRaw<ValuesRow[]>`
      SELECT id, inputs_text AS inputs, output_text AS output, inputs_blob AS "inputsBlob", output_blob AS "outputBlob"
      FROM call_values WHERE project_id = ${projectRowId}::uuid AND id = ANY(${ids}) ORDER BY id`;
    const texts: (SearchedTexts & { id: string })[] = [];
    for (const { id, inputs, output, inputsBlob, outputBlob } of rows)
      texts.push({
        id,
        inputs: inputsBlob === null ? inputs : await this.beginOf(projectRowId, inputsBlob),
        output: outputBlob === null ? output : await this.beginOf(projectRowId, outputBlob),
      });
    return texts;
  }

  private async beginOf(projectRowId: string, key: string): Promise<string> {
    const chunks = await this.database.client.$queryRaw<{ bytes: Uint8Array }[]>`
      SELECT bytes FROM blob_chunks
      WHERE project_id = ${projectRowId}::uuid AND blob_key = ${key} AND chunk_no < ${MAX_CHUNKS} ORDER BY chunk_no`;
    return Buffer.concat(chunks.map(({ bytes }) => bytes)).toString();
  }

  /** Calls whose values are erased meanwhile are left out: the lock makes an erasure wait until they can be deleted. */
  private async put(projectRowId: string, ids: string[], documents: readonly CallDocument[]): Promise<void> {
    const head = [projectTerm(projectRowId), GAP];
    const arrays = (terms: (document: CallDocument) => readonly number[]) =>
      Prisma.sql`${textArray(documents.map((document) => `{${terms(document).join(',')}}`))}::text[]`;
    await this.database.client.$executeRaw`
      INSERT INTO call_search (project_id, id, inputs, output)
      SELECT v.project_id, r.id, r.inputs::integer[], r.output::integer[]
      FROM ROWS FROM (unnest(${textArray(ids)}::text[], ${arrays(({ inputs }) => [...head, ...inputs])},
        ${arrays(({ output }) => output)})) AS r (id, inputs, output)
      JOIN call_values v ON v.project_id = ${projectRowId}::uuid AND v.id = r.id COLLATE "C" FOR KEY SHARE OF v
      ON CONFLICT (project_id, id) DO UPDATE SET inputs = excluded.inputs, output = excluded.output
      WHERE (call_search.inputs, call_search.output) IS DISTINCT FROM (excluded.inputs, excluded.output)`;
  }
}

/** Ids of calls that are read together. */
function slicesOf(calls: readonly Sized[]): string[][] {
  const slices: string[][] = [];
  let bytes = SLICE_BYTES;
  for (const call of calls) {
    if (bytes >= SLICE_BYTES) {
      slices.push([]);
      bytes = 0;
    }
    slices.at(-1)?.push(call.id);
    bytes += call.bytes;
  }
  return slices;
}

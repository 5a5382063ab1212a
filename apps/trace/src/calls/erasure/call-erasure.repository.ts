import { DERIVED_COLUMNS, markErased } from '@hone/calls';
import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { EndedItemsRepository } from '../../annotation-queues/ended-items.repository.js';
import { FeedbackErasureRepository } from '../../feedback/erasure/feedback-erasure.repository.js';
import {
  type ExpiredCalls,
  ExpiredCallsRepository,
  type ExpiredKind,
  type ExpiredPlace,
} from './expired-calls.repository.js';

/** Small, so that writes never wait long for an erasure. */
export const ERASURE_BATCH_CALLS = 1_000;
const NOTHING_DERIVED = Prisma.raw(DERIVED_COLUMNS.map((name) => `${name} = NULL`).join(', '));
/** Any number, the same in every process: one of them erases, the others find nothing to do. */
const ERASURE_LOCK = 4_663_020;

/** A call that was deleted. */
export interface DeletedPlace {
  readonly projectId: string;
  readonly id: string;
}

/** What a batch erased. */
export interface ErasedBatch<Place = ExpiredPlace> {
  /** Fewer than {@link ERASURE_BATCH_CALLS}: nothing is left. */
  readonly count: number;
  /** Its last call; null: it has none. */
  readonly last: Place | null;
}

/** Erases what calls hold, and what is about them. A batch is a transaction, in which its calls are locked. */
@Injectable()
export class CallErasureRepository {
  constructor(
    private readonly database: Database,
    private readonly expired: ExpiredCallsRepository,
    private readonly feedback: FeedbackErasureRepository,
    private readonly items: EndedItemsRepository,
  ) {}

  /**
   * Erases a batch of calls that have expired; nothing is left of them.
   *
   * @param after the last call of the batch before; null: there was none
   * @returns null: another process erases
   */
  async eraseExpired(calls: ExpiredCalls, kind: ExpiredKind, after: ExpiredPlace | null): Promise<ErasedBatch | null> {
    return this.batch(async () => {
      const batch = await this.expired.lockBatch(calls, kind, after, ERASURE_BATCH_CALLS);
      const ids = batch.map(({ id }) => id);
      await this.eraseContent(calls.projectId, ids);
      await this.items.endOfCalls(calls.projectId, ids);
      await this.database.client.$executeRaw`
        DELETE FROM calls WHERE project_id = ${calls.projectId}::uuid AND id = ANY(${ids})`;
      return { count: ids.length, last: batch.at(-1) ?? null };
    });
  }

  /**
   * Erases a batch of calls that were deleted. Their ids, ops and times stay, so that what comes late of one does not make
   * it live again; it is erased by a later run.
   *
   * @param after as of {@link eraseExpired}
   * @returns as {@link eraseExpired}
   */
  async eraseDeleted(after: DeletedPlace | null): Promise<ErasedBatch<DeletedPlace> | null> {
    return this.batch(async () => {
      const rest =
        after === null ? Prisma.empty : Prisma.sql`AND (project_id, id) > (${after.projectId}::uuid, ${after.id})`;
      const rows = await this.database.client.$queryRaw<DeletedPlace[]>`
        SELECT project_id AS "projectId", id FROM calls WHERE deleted_at IS NOT NULL AND erased_at IS NULL ${rest}
        ORDER BY project_id, id LIMIT ${ERASURE_BATCH_CALLS} FOR UPDATE SKIP LOCKED`;
      for (const projectId of new Set(rows.map((row) => row.projectId))) {
        const ids = rows.filter((row) => row.projectId === projectId).map(({ id }) => id);
        await this.eraseContent(projectId, ids);
        await this.keepTombstones(projectId, ids);
      }
      return { count: rows.length, last: rows.at(-1) ?? null };
    });
  }

  private async batch<T>(erase: () => Promise<T>): Promise<T | null> {
    return this.database.transaction(async () => {
      const [lock] = await this.database.client.$queryRaw<{ isMine: boolean }[]>`
        SELECT pg_try_advisory_xact_lock(${ERASURE_LOCK}) AS "isMine"`;
      return lock?.isMine ? erase() : null;
    });
  }

  private async eraseContent(projectId: string, ids: string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.database.client.$executeRaw`
      WITH gone AS (DELETE FROM call_values WHERE project_id = ${projectId}::uuid AND id = ANY(${ids}) RETURNING *),
      erased AS (
        SELECT text, blob FROM gone, unnest(ARRAY[attributes_text, inputs_text, output_text, summary_text],
          ARRAY[attributes_blob, inputs_blob, output_blob, summary_blob]) AS value (text, blob))
      ${markErased(projectId)}`;
    await this.deleteEvents(projectId, ids);
    await this.feedback.eraseWaitingFor(projectId, ids);
    await this.feedback.eraseAbout(projectId, ids);
  }

  /** Deletes log records of the calls' spans. A span's id is that of its call, perhaps behind that of its trace. */
  private async deleteEvents(projectId: string, ids: string[]): Promise<void> {
    await this.database.client.$executeRaw`
      DELETE FROM span_events e USING calls c
      WHERE c.project_id = ${projectId}::uuid AND c.id = ANY(${ids}) AND e.project_id = c.project_id
        AND e.trace_id = c.trace_id AND c.id IN (e.span_id, e.trace_id || '-' || e.span_id)`;
  }

  private async keepTombstones(projectId: string, ids: string[]): Promise<void> {
    await this.database.client.$executeRaw`
      UPDATE calls SET erased_at = now(), display_name = NULL, exception = NULL, thread_id = NULL, turn_id = NULL,
        input_refs = '{}', output_refs = '{}', start_bytes = 0, end_bytes = 0, ${NOTHING_DERIVED}
      WHERE project_id = ${projectId}::uuid AND id = ANY(${ids})`;
  }
}

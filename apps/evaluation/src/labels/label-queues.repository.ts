import { IS_SHOWN } from '@hone/call-queries';
import { Database } from '@hone/database';
import { QueueWriteRepository } from '@hone/feedback';
import { Injectable } from '@nestjs/common';

/** An annotation queue whose calls were drawn. */
export interface LabelQueueDraft {
  readonly id: string;
  readonly projectRowId: string;
  readonly name: string;
  readonly description: string;
  /** Ref of the annotation field, without scheme. */
  readonly fieldRef: string;
  readonly feedbackType: string;
  readonly scorerId: string;
  readonly scorerDigest: string;
  readonly criterion: string;
  readonly seed: number;
  readonly createdBy: string;
}

/** A call with its chance, as it is recorded. */
export interface RecordedDraw {
  readonly callId: string;
  readonly chance: number;
  readonly isDrawn: boolean;
  readonly isKnown: boolean;
}

/** One label of a call is enough. */
const REVIEWERS = 1;
const LEASE_SECONDS = 900;
const DISPLAY_FIELDS = ['inputs', 'output'];

/** Annotation queues whose calls were drawn, with the chances of all calls that could be. */
@Injectable()
export class LabelQueuesRepository {
  constructor(
    private readonly database: Database,
    private readonly queues: QueueWriteRepository,
  ) {}

  /**
   * Makes the queue, fills it and records the draws, all or nothing. Of calls that were deleted meanwhile nothing is stored.
   *
   * @param callIds of the items, in the order in which people are given them
   * @returns how many items there are
   */
  async create(draft: LabelQueueDraft, callIds: readonly string[], draws: readonly RecordedDraw[]): Promise<number> {
    const { projectRowId, id, createdBy } = draft;
    return this.database.transaction(async () => {
      await this.queues.create(projectRowId, {
        ...{ id, name: draft.name, description: draft.description, scorerRefs: [draft.fieldRef], createdBy },
        ...{ reviewersPerItem: REVIEWERS, leaseSeconds: LEASE_SECONDS, assignedOnly: false },
      });
      const items = await this.queues.addItems(projectRowId, id, callIds, DISPLAY_FIELDS, createdBy);
      await this.database.client.$executeRaw`
        INSERT INTO label_queues (project_id, queue_id, feedback_type, scorer_id, scorer_digest, criterion, seed, created_by)
        VALUES (${projectRowId}::uuid, ${id}, ${draft.feedbackType}, ${draft.scorerId}, ${draft.scorerDigest}, ${draft.criterion},
          ${draft.seed}, ${createdBy}::uuid)`;
      await this.database.client.$executeRaw`
        INSERT INTO label_draws (project_id, queue_id, call_id, chance, is_drawn, is_known)
        SELECT c.project_id, ${id}, c.id, draw.chance, draw."isDrawn", draw."isKnown"
        FROM json_to_recordset(${JSON.stringify(draws)}::json) AS draw ("callId" text, chance float8, "isDrawn" boolean, "isKnown" boolean)
        JOIN calls c ON c.project_id = ${projectRowId}::uuid AND c.id = draw."callId" WHERE ${IS_SHOWN} ORDER BY c.id`;
      return items;
    });
  }
}

import { type Principal, ProjectAccess, type ProjectGrant } from '@hone/auth';
import type { Issue, Loc } from '@hone/contracts';
import { newId } from '@hone/database';
import type { FeedbackDraft, SentFeedback } from '@hone/feedback';
import { isReserved } from '@hone/feedback';
import { ValidationError } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { PayloadTooLargeError } from './feedback.errors.js';
import { ReservedTypes } from './reserved-types/reserved-types.js';

export const MAX_PAYLOAD_BYTES = 1_048_576;

/** Records that passed every check, and the projects that they go to. */
export interface PreparedFeedback {
  drafts: FeedbackDraft[];
  grants: ProjectGrant[];
}

/** Turns records of bodies into drafts, or throws. Nothing is written before all have passed. */
@Injectable()
export class FeedbackDrafter {
  constructor(
    private readonly access: ProjectAccess,
    private readonly reservedTypes: ReservedTypes,
  ) {}

  /**
   * @param isBatch error sentences begin with `batch[i]: `, and every `loc` with `body, batch, i`
   * @throws ValidationError, AccessDeniedError, PayloadTooLargeError
   */
  async prepare(author: Principal, records: SentFeedback[], isBatch: boolean): Promise<PreparedFeedback> {
    const projectIds = records.map(({ projectId }) => projectId);
    const grants = await this.access.grantWrites(author, 'trace', projectIds, 'annotator', isBatch);
    await this.assertReferences(records, grants, isBatch);
    const createdAt = new Date();
    const drafts = records.map((sent, index) => {
      assertPayloadSize(sent.payloadBytes, isBatch ? index : undefined);
      return {
        projectRowId: grants.get(sent.projectId)?.rowId ?? '',
        projectId: sent.projectId,
        id: sent.id ?? newId(),
        hasClientId: sent.id !== null,
        createdAt,
        svcUserId: author.userId,
        sent,
      };
    });
    return { drafts, grants: [...grants.values()] };
  }

  /** Creates the missing projects, and sets the row ids of the drafts' projects. */
  async makeProjects(author: Principal, { drafts, grants }: PreparedFeedback): Promise<void> {
    for (const grant of grants) {
      if (grant.rowId) continue;
      const projectRowId = await this.access.rowIdFor(author, grant);
      for (const draft of drafts) if (draft.projectId === grant.projectId) draft.projectRowId = projectRowId;
    }
  }

  /** Looks up what records of reserved types name. @throws ValidationError */
  private async assertReferences(
    records: SentFeedback[],
    grants: Map<string, ProjectGrant>,
    isBatch: boolean,
  ): Promise<void> {
    const issues: Issue[] = [];
    for (const [index, record] of records.entries()) {
      if (!isReserved(record.feedbackType)) continue;
      const prefix: Loc = isBatch ? ['body', 'batch', index] : ['body'];
      const found = await this.reservedTypes.issues(record, grants.get(record.projectId)?.rowId ?? null);
      for (const issue of found) issues.push({ ...issue, loc: [...prefix, ...issue.loc] });
    }
    if (issues.length) throw new ValidationError(issues);
  }
}

function assertPayloadSize(bytes: number, index: number | undefined): void {
  if (bytes <= MAX_PAYLOAD_BYTES) return;
  const error = new PayloadTooLargeError(bytes, MAX_PAYLOAD_BYTES);
  throw index === undefined ? error : error.inBatch(index);
}

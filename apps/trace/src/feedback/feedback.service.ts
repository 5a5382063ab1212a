import { Injectable } from '@nestjs/common';
import type { FeedbackCreateDto } from '@hone/contracts';
import { Database } from '@hone/database';
import { type Principal, ProjectAccess, type ProjectGrant } from '@hone/auth';
import { DomainError, ValidationError } from '@hone/platform';

import { FeedbackIdTakenError, PayloadTooLargeError } from './feedback.errors.js';
import { toFeedbackDraft, toFeedbackResult, type FeedbackResult } from './feedback.mapper.js';
import type { FeedbackDraft, FeedbackReceipt, InsertOutcome } from './feedback.record.js';
import { FeedbackRepository } from './feedback.repository.js';
import { GroupCommit } from './group-commit.js';
import { ReservedTypes } from './reserved-types/reserved-types.js';

export const MAX_PAYLOAD_BYTES = 1_048_576;

@Injectable()
export class FeedbackService {
  readonly #singles = new GroupCommit<FeedbackDraft, InsertOutcome>((drafts) => this.feedback.insertAll(drafts), {
    rows: 256,
    bytes: 4 * 1_048_576,
  });

  constructor(
    private readonly feedback: FeedbackRepository,
    private readonly access: ProjectAccess,
    private readonly reservedTypes: ReservedTypes,
    private readonly database: Database,
  ) {}

  /**
   * Stores one record. The same content under the same `id` again answers the stored record.
   *
   * @throws ValidationError the payload or references do not fit a reserved type
   * @throws AccessDeniedError the author may not write to the project
   * @throws PayloadTooLargeError
   * @throws FeedbackIdTakenError `id` names a record with other content
   */
  async create(author: Principal, body: FeedbackCreateDto): Promise<FeedbackResult> {
    assertFormOfType([body], ['body']);
    const [draft] = (await this.#drafts(author, [body], () => ['body'])) as [FeedbackDraft];
    // A transaction that is already open (Idempotency-Key) must hold the row itself.
    const outcome = this.database.inTransaction
      ? ((await this.feedback.insertAll([draft]))[0] as InsertOutcome)
      : await this.#singles.submit(draft, draft.payloadText.length);
    return toFeedbackResult(receiptOf(outcome, draft));
  }

  /**
   * Stores all records or none. Ours: results come back in batch order.
   *
   * @param batch 0..n records; they may belong to different projects
   * @throws what {@link create} throws; sentences begin with `batch[i]: `
   */
  async createBatch(author: Principal, batch: FeedbackCreateDto[]): Promise<{ res: FeedbackResult[] }> {
    if (batch.length === 0) return { res: [] };
    assertFormOfType(batch, ['body', 'batch']);
    return this.database.transaction(async () => {
      const drafts = await this.#drafts(author, batch, (index) => ['body', 'batch', index]);
      const outcomes = await this.feedback.insertAll(drafts);
      return {
        res: outcomes.map((outcome, index) =>
          toFeedbackResult(receiptOf(outcome, drafts[index] as FeedbackDraft, index)),
        ),
      };
    });
  }

  /** Checks access, sizes and what reserved types name; makes missing projects last of all. */
  async #drafts(
    author: Principal,
    bodies: FeedbackCreateDto[],
    locOf: (index: number) => (string | number)[],
  ): Promise<FeedbackDraft[]> {
    const isBatch = locOf(0).length > 1;
    const grants = new Map<string, ProjectGrant>();
    for (const [index, { project_id }] of bodies.entries()) {
      if (grants.has(project_id)) continue;
      const grant = this.access.grantWrite(author, 'trace', project_id, 'annotator');
      grants.set(project_id, await naming(grant, isBatch ? index : undefined));
    }
    const createdAt = new Date();
    const drafts: FeedbackDraft[] = [];
    for (const [index, body] of bodies.entries()) {
      const { rowId } = grants.get(body.project_id) as ProjectGrant;
      const { payload, issues } = await this.reservedTypes.resolve(body, rowId);
      if (issues.length)
        throw new ValidationError(issues.map((issue) => ({ ...issue, loc: [...locOf(index), ...issue.loc] })));
      const draft = toFeedbackDraft(body, payload, { projectRowId: rowId ?? '', svcUserId: author.userId, createdAt });
      await naming(assertPayloadSize(draft.payloadText), isBatch ? index : undefined);
      drafts.push(draft);
    }
    const rowIds = new Map<string, string>();
    for (const grant of grants.values()) rowIds.set(grant.projectId, await this.access.rowIdFor(author, grant));
    for (const draft of drafts) draft.projectRowId = rowIds.get(draft.projectId) as string;
    return drafts;
  }
}

/** What reserved types demand of a body by itself, before anything is looked up. */
function assertFormOfType(bodies: FeedbackCreateDto[], loc: (string | number)[]): void {
  const issues = bodies.flatMap((body, index) =>
    ReservedTypes.formIssues(body).map((issue) => ({
      ...issue,
      loc: [...loc, ...(loc.length > 1 ? [index] : []), ...issue.loc],
    })),
  );
  if (issues.length) throw new ValidationError(issues);
}

async function assertPayloadSize(payloadText: string): Promise<void> {
  const bytes = payloadText.length * 3 > MAX_PAYLOAD_BYTES ? Buffer.byteLength(payloadText) : 0;
  if (bytes > MAX_PAYLOAD_BYTES) throw new PayloadTooLargeError(bytes, MAX_PAYLOAD_BYTES);
}

/** In a batch, the sentence of an error names the element. */
async function naming<T>(work: Promise<T>, index: number | undefined): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw index !== undefined && error instanceof DomainError ? error.inBatch(index) : error;
  }
}

function receiptOf(outcome: InsertOutcome, { id, projectId }: FeedbackDraft, index?: number): FeedbackReceipt {
  if ('receipt' in outcome) return outcome.receipt;
  const error = new FeedbackIdTakenError(id, projectId);
  throw index === undefined ? error : error.inBatch(index);
}

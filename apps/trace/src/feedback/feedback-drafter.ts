import { type Principal, ProjectAccess, type ProjectGrant } from '@hone/auth';
import type { FeedbackCreateDto, Issue, JsonObject, Loc } from '@hone/contracts';
import { ValidationError } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { PayloadTooLargeError } from './feedback.errors.js';
import { toFeedbackDraft } from './feedback.mapper.js';
import type { FeedbackDraft } from './feedback.record.js';
import { ReservedTypes } from './reserved-types/reserved-types.js';
import { formIssues, isReserved } from './reserved-types/type-forms.js';

const MAX_PAYLOAD_BYTES = 1_048_576;

/** Bodies that passed every check, and the projects that they go to. */
export interface PreparedFeedback {
  drafts: FeedbackDraft[];
  grants: ProjectGrant[];
}

/** Turns bodies into drafts, or throws. Nothing is written before all have passed. */
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
  async prepare(author: Principal, bodies: FeedbackCreateDto[], isBatch: boolean): Promise<PreparedFeedback> {
    this.assertForms(bodies, isBatch);
    const projectIds = bodies.map(({ project_id }) => project_id);
    const grants = await this.access.grantWrites(author, 'trace', projectIds, 'annotator', isBatch);
    const payloads = await this.payloads(bodies, grants, isBatch);
    const createdAt = new Date();
    const drafts = bodies.map((body, index) => {
      const projectRowId = grants.get(body.project_id)?.rowId ?? '';
      const draft = toFeedbackDraft(body, payloads[index] as JsonObject, {
        projectRowId,
        svcUserId: author.userId,
        createdAt,
      });
      assertPayloadSize(draft.payloadText, isBatch ? index : undefined);
      return draft;
    });
    return { drafts, grants: [...grants.values()] };
  }

  /** What needs no look-up: the forms of reserved types. @throws ValidationError */
  assertForms(bodies: FeedbackCreateDto[], isBatch: boolean): void {
    assertNoIssues(bodies, isBatch, formIssues);
  }

  /** Creates the missing projects, and sets the row ids of the drafts' projects. */
  async makeProjects(author: Principal, { drafts, grants }: PreparedFeedback): Promise<void> {
    for (const grant of grants) {
      if (grant.rowId) continue;
      const projectRowId = await this.access.rowIdFor(author, grant);
      for (const draft of drafts) if (draft.projectId === grant.projectId) draft.projectRowId = projectRowId;
    }
  }

  /** The payloads as they are stored; those of reserved types after what they name was looked up. */
  private async payloads(
    bodies: FeedbackCreateDto[],
    grants: Map<string, ProjectGrant>,
    isBatch: boolean,
  ): Promise<JsonObject[]> {
    const found = new Map<FeedbackCreateDto, Issue[]>();
    const payloads: JsonObject[] = [];
    for (const body of bodies) {
      if (!isReserved(body.feedback_type)) {
        payloads.push(body.payload as JsonObject);
        continue;
      }
      const { payload, issues } = await this.reservedTypes.resolve(body, grants.get(body.project_id)?.rowId ?? null);
      payloads.push(payload);
      found.set(body, issues);
    }
    assertNoIssues(bodies, isBatch, (body) => found.get(body) ?? []);
    return payloads;
  }
}

function assertNoIssues(
  bodies: FeedbackCreateDto[],
  isBatch: boolean,
  issuesOf: (body: FeedbackCreateDto) => Issue[],
): void {
  const issues: Issue[] = [];
  for (const [index, body] of bodies.entries()) {
    const prefix: Loc = isBatch ? ['body', 'batch', index] : ['body'];
    for (const issue of issuesOf(body)) issues.push({ ...issue, loc: [...prefix, ...issue.loc] });
  }
  if (issues.length) throw new ValidationError(issues);
}

function assertPayloadSize(payloadText: string, index: number | undefined): void {
  if (payloadText.length * 3 <= MAX_PAYLOAD_BYTES) return; // a UTF-16 unit has at most three bytes
  const bytes = Buffer.byteLength(payloadText);
  if (bytes <= MAX_PAYLOAD_BYTES) return;
  const error = new PayloadTooLargeError(bytes, MAX_PAYLOAD_BYTES);
  throw index === undefined ? error : error.inBatch(index);
}

import type { Readable } from 'node:stream';

import { type Principal, ProjectAccess } from '@hone/auth';
import type { FeedbackHistoryDto, RawJson } from '@hone/contracts';
import { RefScheme } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { FeedbackNotFoundError } from '../feedback.errors.js';
import { FeedbackHistoryRepository } from './feedback-history.repository.js';
import { FeedbackRevisionRepository } from './feedback-revision.repository.js';

@Injectable()
export class FeedbackHistoryService {
  constructor(
    private readonly history: FeedbackHistoryRepository,
    private readonly revisions: FeedbackRevisionRepository,
    private readonly access: ProjectAccess,
    private readonly refScheme: RefScheme,
  ) {}

  /**
   * The records that one replaced, the oldest first.
   *
   * @throws AccessDeniedError, ProjectNotFoundError
   * @throws FeedbackNotFoundError no record has or had this id, or it was purged
   */
  async read(caller: Principal, { project_id: projectId, id }: FeedbackHistoryDto): Promise<RawJson | Readable> {
    const projectRowId = await this.access.getReadable(caller, 'trace', projectId);
    const current = await this.revisions.findCurrent(projectRowId, id);
    if (current === null) throw new FeedbackNotFoundError(id, projectId);
    return this.history.query(projectRowId, projectId, current, this.refScheme.name);
  }
}

import { AccessDeniedError, KeyStore, ProjectNotFoundError } from '@hone/auth';
import { Injectable } from '@nestjs/common';

import { EvaluationAccess } from '../access/evaluation-access.js';
import { KeyEndedError } from '../gateway/gateway-session.js';
import type { LeasedJob } from './claim.record.js';

/** Keys end, and people lose roles, while their jobs run. */
@Injectable()
export class JobRights {
  constructor(
    private readonly keys: KeyStore,
    private readonly access: EvaluationAccess,
  ) {}

  /** @throws KeyEndedError whoever made the job may not go on with it */
  async assertMayGoOn({ keyId, projectId }: Pick<LeasedJob, 'keyId' | 'projectId'>): Promise<void> {
    const owner = await this.keys.findById(keyId);
    if (owner === null) throw new KeyEndedError('The key of whoever made the job has ended.');
    try {
      await this.access.project(owner, projectId, 'writer');
    } catch (error) {
      if (!(error instanceof AccessDeniedError || error instanceof ProjectNotFoundError)) throw error;
      throw new KeyEndedError('Whoever made the job may no longer write to the project.', { cause: error });
    }
  }
}

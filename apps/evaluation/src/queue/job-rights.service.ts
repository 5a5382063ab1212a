import { AccessDeniedError, KeyStore, type Principal, ProjectNotFoundError } from '@hone/auth';
import type { Role } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import { EvaluationAccess } from '../access/evaluation-access.js';
import { KeyEndedError } from '../gateway/gateway-session.js';
import type { LeasedJob } from './claim.record.js';

type WorkOfKey = Pick<LeasedJob, 'keyId' | 'projectId'>;

/** What whoever made something needs, and how a sentence says that they lack it. */
interface NeededRights {
  readonly what: 'job' | 'gate' | 'pipeline' | 'improvement';
  readonly needed: Role;
  readonly deed: string;
}

/** Keys end, and people lose roles, while their jobs run. */
@Injectable()
export class JobRights {
  constructor(
    private readonly keys: KeyStore,
    private readonly access: EvaluationAccess,
  ) {}

  /** @throws KeyEndedError whoever made the job may not go on with it */
  async assertMayGoOn(job: WorkOfKey): Promise<void> {
    await this.ownerOf(job, { what: 'job', needed: 'writer', deed: 'write to the project' });
  }

  /** Whoever made something that goes on by itself. @throws KeyEndedError they may not go on with it */
  async ownerOf({ keyId, projectId }: WorkOfKey, { what, needed, deed }: NeededRights): Promise<Principal> {
    const owner = await this.keys.findById(keyId);
    if (owner === null) throw new KeyEndedError(`The key of whoever made the ${what} has ended.`);
    try {
      await this.access.project(owner, projectId, needed);
      return owner;
    } catch (error) {
      if (!(error instanceof AccessDeniedError || error instanceof ProjectNotFoundError)) throw error;
      throw new KeyEndedError(`Whoever made the ${what} may no longer ${deed}.`, { cause: error });
    }
  }
}

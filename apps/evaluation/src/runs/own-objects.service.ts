import type { Principal } from '@hone/auth';
import type { JsonObject } from '@hone/contracts';
import { ObjectStore } from '@hone/objects';
import { toObjectContent } from '@hone/objects/content';
import { RefScheme } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import type { OwnProject } from '../access/evaluation-access.js';
import type { VersionKey } from '../stored-objects/stored-objects.service.js';
import { NameTakenError } from './evaluation-jobs.errors.js';

/** Objects that evaluations need, and whoever asks for one has not stored. */
@Injectable()
export class OwnObjects {
  constructor(
    private readonly objects: ObjectStore,
    private readonly scheme: RefScheme,
  ) {}

  /** Stores a version, within a transaction; one of the same value is that version. @throws NameTakenError */
  async store(
    author: Pick<Principal, 'userId'>,
    { rowId }: Pick<OwnProject, 'rowId'>,
    objectId: string,
    className: string,
    val: JsonObject,
  ): Promise<VersionKey> {
    const content = toObjectContent(val, this.scheme.name);
    const stored = await this.objects.create(rowId, { objectId, svcUserId: author.userId, ...content });
    if ('otherClass' in stored) throw new NameTakenError(objectId, stored.otherClass, className);
    return { objectId, digest: stored.digest };
  }
}

import { Injectable } from '@nestjs/common';

import { AliasRepository } from './alias.repository.js';
import type { ObjectVersionDraft } from './object.record.js';
import { ObjectRepository } from './object.repository.js';

/** A version as it was stored. */
export interface CreatedVersion {
  readonly digest: string;
  readonly versionIndex: number;
}

/** Stores versions of objects. */
@Injectable()
export class ObjectStore {
  constructor(
    private readonly objects: ObjectRepository,
    private readonly aliases: AliasRepository,
  ) {}

  /**
   * Stores a version, within a transaction. A live version of the same content becomes the latest; a deleted one comes back
   * as a new version.
   *
   * @returns `otherClass` where nothing was stored: a live version of the same kind has it; null: it has none
   */
  async create(
    projectRowId: string,
    draft: ObjectVersionDraft,
  ): Promise<CreatedVersion | { readonly otherClass: string | null }> {
    const { objectId, digest } = draft;
    const { nextVersionIndex } = await this.objects.lockHead(projectRowId, objectId);
    const otherClass = await this.objects.findOtherClass(projectRowId, draft);
    if (otherClass !== undefined) return { otherClass };
    const known = await this.objects.findVersion(projectRowId, objectId, { by: 'digest', digest });
    const isLive = known !== null && known.deletedAt === null;
    const now = new Date();
    if (!isLive) await this.objects.put(projectRowId, draft, nextVersionIndex, now);
    await this.objects.setLatest(projectRowId, objectId, digest);
    await this.aliases.noteLatest({ projectRowId, objectId }, now, draft.svcUserId);
    return { digest, versionIndex: isLive ? known.versionIndex : nextVersionIndex };
  }
}

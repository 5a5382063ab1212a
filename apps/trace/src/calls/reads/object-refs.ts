import { type Principal, ProjectAccess } from '@hone/auth';
import { ValueRepository } from '@hone/calls';
import { parseRef, parseVersionSelector } from '@hone/contracts';
import { ObjectRepository } from '@hone/objects';
import { Injectable } from '@nestjs/common';

/** Looks up the objects that refs in calls name. */
@Injectable()
export class ObjectRefs {
  constructor(
    private readonly objects: ObjectRepository,
    private readonly values: ValueRepository,
    private readonly access: ProjectAccess,
  ) {}

  /** Exact text of the value of an object or op; null: not there, deleted, or not readable for the caller. */
  async find(caller: Principal, ref: string): Promise<string | null> {
    const parsed = parseRef(ref);
    if (!parsed || parsed.kind === 'call' || /\/(object|op)\/[^/]+\//.test(ref)) return null;
    const projectRowId = await this.access.findIfReadable(caller, 'trace', parsed.projectId);
    if (projectRowId === null) return null;
    const version = await this.objects.findVersion(projectRowId, parsed.name, parseVersionSelector(parsed.digest));
    return version && version.deletedAt === null ? this.values.get(projectRowId, version.val) : null;
  }
}

import { type Principal, ProjectAccess } from '@hone/auth';
import { parseRef, parseVersionSelector } from '@hone/contracts';
import { type PlannedRun, planRuns, type RunCall } from '@hone/evaluation-results';
import { ObjectVersionsRepository } from '@hone/objects';
import { Injectable } from '@nestjs/common';

/** Which rows runs should have, as far as the caller may know. */
@Injectable()
export class RunPlans {
  constructor(
    private readonly objects: ObjectVersionsRepository,
    private readonly access: ProjectAccess,
  ) {}

  /** The runs in their order. */
  plan(caller: Principal, ids: readonly string[], calls: readonly RunCall[]): Promise<PlannedRun[]> {
    const projectOf = (id: string) => this.access.findIfReadable(caller, 'trace', id);
    return planRuns(ids, calls, { projectOf, valueOf: (ref) => this.valueOf(ref, projectOf) });
  }

  private async valueOf(ref: string, projectOf: (id: string) => Promise<string | null>): Promise<string | null> {
    const parsed = parseRef(ref);
    if (parsed?.kind !== 'object') return null;
    const projectRowId = await projectOf(parsed.projectId);
    if (projectRowId === null) return null;
    const [found] = (await this.objects.find(projectRowId, parsed.name, parseVersionSelector(parsed.digest))) ?? [];
    return found ? this.objects.read(projectRowId, parsed.name, found.digest) : null;
  }
}

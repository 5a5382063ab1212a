import { type Principal, ProjectAccess } from '@hone/auth';
import { type PlannedRun, planRuns } from '@hone/evaluation-results';
import { Injectable } from '@nestjs/common';

import { ObjectRefs } from '../calls/reads/object-refs.js';
import { TrackedCallService } from './tracked-call.service.js';

/** Which rows runs should have: those of the datasets of their evaluations. */
@Injectable()
export class RunPlanService {
  constructor(
    private readonly tracked: TrackedCallService,
    private readonly objects: ObjectRefs,
    private readonly access: ProjectAccess,
  ) {}

  /** The runs in their order. What is not stored, or the caller may not read, is not known. */
  async plan(caller: Principal, projectId: string, projectRowId: string, ids: string[]): Promise<PlannedRun[]> {
    const calls = await this.tracked.listRuns(projectId, projectRowId, ids);
    return planRuns(
      ids,
      calls.map(({ row, texts }) => ({ id: row.id, ...texts })),
      {
        valueOf: (ref) => this.objects.find(caller, ref),
        projectOf: (id) => this.access.findIfReadable(caller, 'trace', id),
      },
    );
  }
}

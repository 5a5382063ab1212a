import type { PipelineStep } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import { PipelineSafety } from '../pipelines/pipeline-safety.service.js';
import type { Claimed } from '../queue/claimed-rows.repository.js';
import { ClaimedWorker } from '../queue/claimed-worker.js';
import { JobRights } from '../queue/job-rights.service.js';
import { ModelTraining } from '../services/model-training.service.js';
import type { ImprovementChange, ImprovementRecord } from './improvement.record.js';
import { ImprovementSettings } from './improvement-settings.service.js';
import { ImprovementSteps, type OpenedImprovement, promptToStart } from './improvement-steps.service.js';
import { ImprovementsRepository } from './improvements.repository.js';
import { IMPROVER_ROLE } from './improvements.service.js';

const SOON_SECONDS = 1;
/** What they make is stored here, together with the improvement that knows it. */
const LOCAL: readonly PipelineStep[] = ['evaluation', 'gate'];

const RIGHTS = { what: 'improvement', needed: IMPROVER_ROLE, deed: 'promote in the project' } as const;

/** Takes improvements further. */
@Injectable()
export class ImprovementWorker extends ClaimedWorker {
  constructor(
    private readonly improvements: ImprovementsRepository,
    private readonly steps: ImprovementSteps,
    private readonly settings: ImprovementSettings,
    private readonly safety: PipelineSafety,
    private readonly training: ModelTraining,
    private readonly rights: JobRights,
  ) {
    super(improvements.claims);
  }

  /** Step after step, until one has to wait, or it ends. */
  protected async work(claimed: Claimed): Promise<void> {
    const improvement = await this.improvements.find(claimed.id);
    let opened = improvement && (await this.open(improvement));
    while (opened && !this.isStopping) {
      const next = await this.advance(opened, claimed);
      opened = next && { ...opened, improvement: next };
    }
    await this.improvements.claims.release(claimed, SOON_SECONDS);
  }

  protected fail(id: string, reason: string): Promise<unknown> {
    return this.improvements.end(id, { status: 'failed', reason });
  }

  /** @returns the improvement as it is then; null: it waits, has ended, or is another process's */
  private async advance(opened: OpenedImprovement, claimed: Claimed): Promise<ImprovementRecord | null> {
    const { improvement } = opened;
    if (improvement.currentStep === null) {
      const reason = await this.harmOf(opened);
      if (reason !== null) return this.save(improvement, claimed, { end: { status: 'refused', reason } });
    }
    const isLocal = LOCAL.includes(improvement.step) || promptToStart(improvement) !== undefined;
    const doStep = async () => this.save(improvement, claimed, await this.steps.advance(opened));
    return isLocal ? this.improvements.claims.whileLocked(claimed, doStep) : doStep();
  }

  private async save(
    improvement: ImprovementRecord,
    claimed: Claimed,
    { end, goesOn = false, ...change }: ImprovementChange,
  ): Promise<ImprovementRecord | null> {
    const next = { ...improvement, ...change };
    return this.improvements.claims.whileLocked(claimed, async () => {
      await this.improvements.save(improvement.id, next, end ?? null);
      return goesOn ? next : null;
    });
  }

  /** What could do harm, in sentences; null: nothing. */
  private async harmOf({ improvement, owner }: OpenedImprovement): Promise<string | null> {
    const { projectId, projectRowId, settings } = improvement;
    const project = { id: projectId, rowId: projectRowId };
    const gate = await this.settings.gateOf(project, settings);
    const missing = await this.safety.missing(owner, project, { evaluate: settings.evaluate, gate });
    return missing.length > 0 ? missing.join(' ') : null;
  }

  private async open(improvement: ImprovementRecord): Promise<OpenedImprovement> {
    const owner = await this.rights.ownerOf(improvement, RIGHTS);
    const model = await this.training.modelOf({ keyId: improvement.keyId, modelId: improvement.settings.model_id });
    return { improvement, owner, model };
  }
}

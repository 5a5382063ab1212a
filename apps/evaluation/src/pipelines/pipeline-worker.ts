import type { PipelineRunStepDto } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import type { Claimed } from '../queue/claimed-rows.repository.js';
import { ClaimedWorker } from '../queue/claimed-worker.js';
import { JobRights } from '../queue/job-rights.service.js';
import { ModelTraining } from '../services/model-training.service.js';
import type { PipelineRecord, PipelineRunRecord, RunProgress } from './pipeline.record.js';
import { PipelineRunsRepository } from './pipeline-runs.repository.js';
import { PipelineSafety } from './pipeline-safety.service.js';
import { PipelinesRepository } from './pipelines.repository.js';
import { PIPELINE_ROLE } from './pipelines.service.js';
import { afterStep, stepOf } from './run-steps.js';
import { type OpenedRun, RunSteps } from './run-steps.service.js';
import { modelOf } from './training-steps.service.js';

/** At most at a time. */
const MAX_STARTS = 10;
const SOON_SECONDS = 1;
/** Times that counting takes, until it is done again. */
const COUNTING_SHARE = 20;
/** Their steps are stored here, together with the run that knows them. */
const LOCAL: readonly PipelineRunStepDto['step'][] = ['evaluation', 'gate'];

const RIGHTS = { what: 'pipeline', needed: PIPELINE_ROLE, deed: 'run one in the project' } as const;

/** Starts runs that are due, and takes open ones further. */
@Injectable()
export class PipelineWorker extends ClaimedWorker {
  private countsAt = 0;

  constructor(
    private readonly pipelines: PipelinesRepository,
    private readonly runs: PipelineRunsRepository,
    private readonly safety: PipelineSafety,
    private readonly steps: RunSteps,
    private readonly models: ModelTraining,
    private readonly rights: JobRights,
  ) {
    super(runs.claims);
  }

  override async run(): Promise<void> {
    await this.startDue();
    await super.run();
  }

  protected async work(claimed: Claimed): Promise<void> {
    const run = await this.runs.find(claimed.id);
    if (run) await this.goOn(run, claimed);
  }

  protected fail(id: string, reason: string): Promise<unknown> {
    return this.runs.end(id, { status: 'failed', reason });
  }

  /** Judged calls are counted as seldom as counting them takes long. */
  private async startDue(): Promise<void> {
    const since = performance.now();
    const counts = since >= this.countsAt;
    for (const { id, startedBy } of await this.pipelines.due(MAX_STARTS, counts))
      await this.pipelines.start(id, startedBy);
    if (counts) this.countsAt = since + COUNTING_SHARE * (performance.now() - since);
  }

  /** Step after step, until one has to wait, or the run ends. */
  private async goOn(run: PipelineRunRecord, claimed: Claimed): Promise<void> {
    const opened = await this.open(run);
    let current: PipelineRunRecord | null = opened.run;
    if (current.currentStep === null) current = await this.begin(opened, claimed);
    while (current && !this.isStopping) {
      const next: PipelineRunRecord | null = await this.advance({ ...opened, run: current }, claimed);
      current = next;
    }
    await this.runs.claims.release(claimed, SOON_SECONDS);
  }

  /** @returns the run as it is then; null: it has ended, or is another process's */
  private async begin({ pipeline, run, owner }: OpenedRun, claimed: Claimed): Promise<PipelineRunRecord | null> {
    const project = { id: pipeline.projectId, rowId: pipeline.projectRowId };
    const missing = await this.safety.missing(owner, project, pipeline.settings);
    if (missing.length > 0) {
      await this.runs.end(run.id, { status: 'refused', reason: missing.join(' ') });
      return null;
    }
    const currentStep = await this.models.currentStep(modelOf(pipeline), pipeline.settings.promote_to);
    return this.save(run, claimed, { steps: [stepOf([])], currentStep, end: null });
  }

  /** @returns the run at its next step; null: it waits, has ended, or is another process's */
  private async advance(opened: OpenedRun, claimed: Claimed): Promise<PipelineRunRecord | null> {
    const { run } = opened;
    const step = stepOf(run.steps);
    const doStep = async (): Promise<PipelineRunRecord | null> => {
      const result = await this.steps.advance(opened, step);
      const progress = { steps: afterStep(run.steps, result), currentStep: run.currentStep, end: result.end ?? null };
      const saved = await this.save(run, claimed, progress);
      return result.next === undefined ? null : saved;
    };
    return LOCAL.includes(step.step) ? this.runs.claims.whileLocked(claimed, doStep) : doStep();
  }

  private async save(
    run: PipelineRunRecord,
    claimed: Claimed,
    progress: RunProgress,
  ): Promise<PipelineRunRecord | null> {
    return this.runs.claims.whileLocked(claimed, async () => {
      await this.runs.save(run.id, progress);
      return progress.end ? null : { ...run, steps: progress.steps, currentStep: progress.currentStep };
    });
  }

  private async open(run: PipelineRunRecord): Promise<OpenedRun> {
    const pipeline = (await this.pipelines.find(run.pipelineId)) as PipelineRecord;
    const owner = await this.rights.ownerOf(pipeline, RIGHTS);
    return { pipeline, run, owner, model: await this.models.modelOf(modelOf(pipeline)) };
  }
}

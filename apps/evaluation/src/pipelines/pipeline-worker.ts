import type { PipelineRunStepDto } from '@hone/contracts';
import { Database } from '@hone/database';
import { DomainError, PeriodicJob, ValidationError } from '@hone/platform';
import { ServiceRefusedError, ServiceUnavailableError } from '@hone/service-client';
import { Injectable, Logger } from '@nestjs/common';

import { KeyEndedError } from '../gateway/gateway-session.js';
import { JobRights } from '../queue/job-rights.service.js';
import { whileClaimed } from '../queue/while-claimed.js';
import type { PipelineRecord, PipelineRunRecord, RunProgress } from './pipeline.record.js';
import { PipelineRunsRepository } from './pipeline-runs.repository.js';
import { PipelineSafety } from './pipeline-safety.service.js';
import { PipelinesRepository } from './pipelines.repository.js';
import { PIPELINE_ROLE } from './pipelines.service.js';
import { afterStep, stepOf, type StepResult } from './run-steps.js';
import { type OpenedRun, RunSteps } from './run-steps.service.js';
import { TrainingSteps } from './training-steps.service.js';

const EVERY_MS = 1_000;
/** Not at the time of the other jobs, so that an idle service needs one connection. */
const FIRST_MS = 900;
const BATCH = 10;
const SOON_SECONDS = 1;
const AGAIN_SECONDS = 10;
/** Times that counting takes, until it is done again. */
const COUNTING_SHARE = 20;
/** Their steps are stored here, together with the run that knows them. */
const LOCAL: readonly PipelineRunStepDto['step'][] = ['evaluation', 'gate'];

const RIGHTS = { what: 'pipeline', needed: PIPELINE_ROLE, deed: 'run one in the project' } as const;

/** Starts runs that are due, and takes open ones further. Every replica does; a run is claimed by one of them at a time. */
@Injectable()
export class PipelineWorker extends PeriodicJob {
  private readonly logger = new Logger(PipelineWorker.name);
  private countsAt = 0;

  constructor(
    private readonly pipelines: PipelinesRepository,
    private readonly runs: PipelineRunsRepository,
    private readonly safety: PipelineSafety,
    private readonly steps: RunSteps,
    private readonly training: TrainingSteps,
    private readonly rights: JobRights,
    private readonly database: Database,
  ) {
    super(EVERY_MS, FIRST_MS);
  }

  async run(): Promise<void> {
    await this.startDue();
    for (const { id, claim } of await this.runs.claimDue(BATCH))
      if (this.isStopping) await this.runs.release(id, claim, 0);
      else
        await whileClaimed(
          () => this.runs.renew(id, claim),
          () => this.tryRun(id, claim),
        );
  }

  /** Judged calls are counted as seldom as counting them takes long. */
  private async startDue(): Promise<void> {
    const since = performance.now();
    const counts = since >= this.countsAt;
    for (const { id, startedBy } of await this.pipelines.due(BATCH, counts)) await this.pipelines.start(id, startedBy);
    if (counts) this.countsAt = since + COUNTING_SHARE * (performance.now() - since);
  }

  private async tryRun(id: string, claim: string): Promise<void> {
    try {
      const run = await this.runs.find(id);
      if (run) await this.goOn(run, claim);
    } catch (error) {
      // Bad for good: the key has ended, the model is gone, a scorer is no more.
      const isForGood = [DomainError, ValidationError, KeyEndedError, ServiceRefusedError].some(
        (type) => error instanceof type,
      );
      if (isForGood) await this.runs.end(id, { status: 'failed', reason: (error as Error).message });
      else {
        if (!(error instanceof ServiceUnavailableError))
          this.logger.error(error, `Pipeline run ${id} could not go on, and is tried again.`);
        await this.runs.release(id, claim, AGAIN_SECONDS);
      }
    }
  }

  /** Step after step, until one has to wait, or the run ends. */
  private async goOn(run: PipelineRunRecord, claim: string): Promise<void> {
    const opened = await this.open(run);
    let current: PipelineRunRecord | null = opened.run;
    if (current.currentStep === null) current = await this.begin(opened, claim);
    while (current && !this.isStopping) {
      const next: PipelineRunRecord | null = await this.advance({ ...opened, run: current }, claim);
      current = next;
    }
    await this.runs.release(run.id, claim, SOON_SECONDS);
  }

  /** @returns the run as it is then; null: it has ended, or is another process's */
  private async begin({ pipeline, run, owner }: OpenedRun, claim: string): Promise<PipelineRunRecord | null> {
    const project = { id: pipeline.projectId, rowId: pipeline.projectRowId };
    const missing = await this.safety.missing(owner, project, pipeline.settings);
    if (missing.length > 0) {
      await this.runs.end(run.id, { status: 'refused', reason: missing.join(' ') });
      return null;
    }
    const currentStep = await this.training.currentStep(pipeline);
    return this.save(run, claim, { steps: [stepOf([])], currentStep, end: null });
  }

  /** @returns the run at its next step; null: it waits, has ended, or is another process's */
  private async advance(opened: OpenedRun, claim: string): Promise<PipelineRunRecord | null> {
    const { run } = opened;
    const step = stepOf(run.steps);
    const store = async (result: StepResult): Promise<PipelineRunRecord | null> => {
      const progress = { steps: afterStep(run.steps, result), currentStep: run.currentStep, end: result.end ?? null };
      const saved = await this.save(run, claim, progress);
      return result.next === undefined ? null : saved;
    };
    if (!LOCAL.includes(step.step)) return store(await this.steps.advance(opened, step));
    return this.database.transaction(async () =>
      (await this.runs.lock(run.id, claim)) ? store(await this.steps.advance(opened, step)) : null,
    );
  }

  private async save(run: PipelineRunRecord, claim: string, progress: RunProgress): Promise<PipelineRunRecord | null> {
    return this.database.transaction(async () => {
      if (!(await this.runs.lock(run.id, claim))) return null;
      await this.runs.save(run.id, progress, null);
      return progress.end ? null : { ...run, steps: progress.steps, currentStep: progress.currentStep };
    });
  }

  private async open(run: PipelineRunRecord): Promise<OpenedRun> {
    const pipeline = (await this.pipelines.find(run.pipelineId)) as PipelineRecord;
    const owner = await this.rights.ownerOf(pipeline, RIGHTS);
    return { pipeline, run, owner, model: await this.training.modelOf(pipeline) };
  }
}

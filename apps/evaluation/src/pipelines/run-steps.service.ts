import type { Principal } from '@hone/auth';
import type { EvaluationJobDto, PipelineRunStepDto } from '@hone/contracts';
import { RefScheme } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { GatesService } from '../gates/gates.service.js';
import { EvaluationJobsService } from '../runs/evaluation-jobs.service.js';
import { ModelTraining, type TrainedModel } from '../services/model-training.service.js';
import type { PipelineRecord, PipelineRunRecord } from './pipeline.record.js';
import { PipelineRunsRepository } from './pipeline-runs.repository.js';
import { PipelinesRepository } from './pipelines.repository.js';
import { madeBy, type StepResult } from './run-steps.js';
import { modelOf, TrainingSteps } from './training-steps.service.js';

const DEFAULT_ALPHA = 0.05;

/** The k-th of any number of gates: all together spend alpha, as 1/1² + 1/2² + … is π²/6. */
export const alphaOf = (alpha: number, gate: number): number => (alpha * 6) / (Math.PI ** 2 * gate ** 2);

/** A run with its pipeline, and in whose name it goes on. */
export interface OpenedRun {
  readonly pipeline: PipelineRecord;
  readonly run: PipelineRunRecord;
  readonly owner: Principal;
  readonly model: TrainedModel;
}

/** Does the steps of runs. Each may be repeated after a crash: what it makes is made once. */
@Injectable()
export class RunSteps {
  constructor(
    private readonly training: TrainingSteps,
    private readonly models: ModelTraining,
    private readonly evaluations: EvaluationJobsService,
    private readonly gates: GatesService,
    private readonly pipelines: PipelinesRepository,
    private readonly runs: PipelineRunsRepository,
    private readonly refScheme: RefScheme,
  ) {}

  /** Takes the current step further. */
  advance(opened: OpenedRun, step: PipelineRunStepDto): Promise<StepResult> {
    switch (step.step) {
      case 'data':
        return this.training.data(opened);
      case 'training':
        return this.training.train(opened, step);
      case 'evaluation':
        return this.evaluate(opened, step);
      case 'gate':
        return this.decide(opened, step);
      case 'promotion':
        return this.promote(opened);
    }
  }

  private async evaluate(opened: OpenedRun, step: PipelineRunStepDto): Promise<StepResult> {
    const { owner } = opened;
    const { settings, projectId } = opened.pipeline;
    const job: EvaluationJobDto =
      step.evaluation_job_id === null
        ? await this.evaluations.create(owner, {
            project_id: projectId,
            ...{ dataset: settings.evaluate.dataset, scorers: settings.evaluate.scorers },
            ...{ trials: settings.evaluate.trials ?? null, max_cost_usd: settings.max_cost_usd ?? null },
            candidates: this.candidatesOf(opened),
          })
        : await this.evaluations.get(owner, step.evaluation_job_id);
    const made = { evaluation_job_id: job.id, run_ids: job.candidates.map(({ evaluation_run_id: id }) => id) };
    if (job.finished_at === null) return { made };
    if (job.status === 'done') return { made, next: 'gate' };
    return {
      made,
      end: { status: 'failed', reason: `The evaluation ended as ${job.status}. ${job.error ?? ''}`.trim() },
    };
  }

  private candidatesOf({ pipeline, run, model: { entity, project, name } }: OpenedRun) {
    const { steps, currentStep } = run;
    const parameters = pipeline.settings.evaluate.parameters ?? null;
    const model = `${this.refScheme.name}-artifact:///${entity}/${project}/${name}`;
    const sides = { current: currentStep ?? 0, candidate: madeBy(steps, 'candidate_step') };
    return Object.entries(sides).map(([side, step]) => ({
      ...{ model: `${model}:step${step}`, parameters, name: `${name}-step${step}-${side}`.slice(-MAX_NAME) },
    }));
  }

  private async decide({ pipeline, run, owner }: OpenedRun, step: PipelineRunStepDto): Promise<StepResult> {
    if (step.gate_id === null) {
      const { settings, projectId } = pipeline;
      const { gate: number, alpha } = await this.pipelines.addGate(pipeline.id, (gate) =>
        alphaOf(settings.gate.alpha ?? DEFAULT_ALPHA, gate),
      );
      await this.runs.setAlpha(run.id, alpha);
      const runs = madeBy(run.steps, 'run_ids');
      const name = `${settings.name} ${run.number}`.slice(-MAX_NAME);
      const gate = await this.gates.create(owner, { ...settings.gate, alpha, project_id: projectId, name, runs });
      return { made: { gate_id: gate.id, note: `The ${number}. gate of the pipeline.` } };
    }
    const gate = await this.gates.get(owner, step.gate_id);
    const made = { note: gate.sentence };
    if (gate.status === 'open') return { made };
    if (gate.verdict === 'promote') return { made, next: 'promotion' };
    if (gate.status !== 'decided' || gate.verdict === null)
      return { made, end: { status: 'failed', reason: `The gate ended as ${gate.status}: ${gate.sentence}` } };
    const status = gate.verdict === 'reject' ? 'rejected' : gate.verdict;
    return { made, end: { status, reason: gate.sentence } };
  }

  /** Moves the alias, unless somebody else has moved it since the run began. */
  private async promote({ pipeline, run }: OpenedRun): Promise<StepResult> {
    const { promote_to: alias } = pipeline.settings;
    const [step, from] = [madeBy(run.steps, 'candidate_step'), run.currentStep ?? 0];
    const now = await this.models.moveAlias(modelOf(pipeline), alias, { from, to: step });
    if (now !== step)
      return {
        made: {},
        end: { status: 'alias_moved', reason: `Somebody moved '${alias}' to step ${now ?? 'none'} meanwhile.` },
      };
    const reason = `Step ${step} is '${alias}' now; it was step ${from}.`;
    await this.gates.acted(madeBy(run.steps, 'gate_id'), 'promoted', reason);
    return { made: { note: reason }, end: { status: 'promoted', reason } };
  }
}

const MAX_NAME = 128;

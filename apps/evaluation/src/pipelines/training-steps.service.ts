import type { JsonObject, PipelineRunStepDto } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import { ModelTraining, type TrainedModel } from '../services/model-training.service.js';
import type { PipelineRecord, PipelineRunRecord } from './pipeline.record.js';
import { madeBy, type StepResult } from './run-steps.js';

interface RunOfPipeline {
  readonly pipeline: PipelineRecord;
  readonly run: PipelineRunRecord;
  readonly model: TrainedModel;
}

const MAX_ARTIFACT_NAME = 128;

export const modelOf = ({ keyId, settings }: PipelineRecord) => ({ keyId, modelId: settings.model_id });

/** The steps of runs that the training service does. */
@Injectable()
export class TrainingSteps {
  constructor(private readonly training: ModelTraining) {}

  async data({ pipeline, run, model: { entity, project } }: RunOfPipeline): Promise<StepResult> {
    const { settings, keyId } = pipeline;
    const name = `pipeline-${pipeline.id}`.slice(0, MAX_ARTIFACT_NAME);
    const { kind, options } = settings.data;
    const body = {
      ...{ source: {}, ...(options as JsonObject | null | undefined), kind, entity, project, name },
      model_id: settings.model_id,
    };
    const made = await this.training.dataOf(keyId, body, `${run.id}-data`);
    if ('nothing' in made)
      return { made: {}, end: { status: 'no_data', reason: `There is nothing to learn from: ${made.nothing}` } };
    const url = made.splits['train'] ?? made.url;
    return { made: { data_url: url, note: `Of ${made.used} calls.` }, next: 'training' };
  }

  async train({ pipeline, run }: RunOfPipeline, step: PipelineRunStepDto): Promise<StepResult> {
    const { settings, keyId } = pipeline;
    const order = {
      ...{ kind: settings.data.kind, parentStep: run.currentStep ?? 0 },
      ...{ config: (settings.config ?? {}) as JsonObject, idempotencyKey: `${run.id}-training` },
    };
    const id =
      step.training_job_id ??
      (await this.training.startJob(modelOf(pipeline), { ...order, dataUrl: madeBy(run.steps, 'data_url') }));
    const made = { training_job_id: id };
    const { isOver, step: candidate, failure } = await this.training.jobOf(keyId, id);
    if (failure !== null) return { made, end: { status: 'failed', reason: failure } };
    return isOver ? { made: { ...made, candidate_step: candidate }, next: 'evaluation' } : { made };
  }
}

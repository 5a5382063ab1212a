import {
  asNumber,
  isJsonObject,
  type JsonObject,
  memberOf,
  type PipelineRunStepDto,
  type TrainingDataKind,
} from '@hone/contracts';
import { ServiceRefusedError } from '@hone/service-client';
import { Injectable } from '@nestjs/common';

import { TrainingClient } from '../training/training-client.js';
import type { PipelineRecord, PipelineRunRecord, RunEnd } from './pipeline.record.js';
import { madeBy, type StepResult } from './run-steps.js';

interface RunOfPipeline {
  readonly pipeline: PipelineRecord;
  readonly run: PipelineRunRecord;
  readonly model: TrainedModel;
}

/** What a pipeline trains. */
export interface TrainedModel {
  readonly entity: string;
  readonly project: string;
  readonly name: string;
}

/** Which jobs learn from which data. */
const JOBS: Readonly<Record<TrainingDataKind, string>> = {
  ...{ sft: '/sft-training-jobs', distill: '/sft-training-jobs', best_of: '/sft-training-jobs' },
  ...{ preference: '/preference-training-jobs', thumbs: '/preference-training-jobs', rl: '/training-jobs' },
};
const UNPROCESSABLE = 422;
const NOT_FOUND = 404;
const CONFLICT = 409;
const MAX_ARTIFACT_NAME = 128;

/** The steps of runs that the training service does. */
@Injectable()
export class TrainingSteps {
  constructor(private readonly client: TrainingClient) {}

  async modelOf({ keyId, settings }: Pick<PipelineRecord, 'keyId' | 'settings'>): Promise<TrainedModel> {
    const model = await this.client.ask(keyId, { method: 'GET', path: `/models/${settings.model_id}` });
    const text = (member: string) => String(memberOf(model, member));
    return { entity: text('entity'), project: text('project'), name: text('name') };
  }

  /** Step of the checkpoint that the alias names; null: there is no such alias. */
  async aliasOf({ keyId, settings }: PipelineRecord): Promise<number | null> {
    const { data } = await this.client.ask(keyId, { method: 'GET', path: `/models/${settings.model_id}/aliases` });
    const aliases = Array.isArray(data) ? data.filter(isJsonObject) : [];
    const found = aliases.find(({ alias }) => alias === settings.promote_to);
    return found ? (asNumber(found['step']) ?? null) : null;
  }

  /** The step that the alias names, which is made for the base model where there is none. */
  async currentStep(pipeline: PipelineRecord): Promise<number> {
    const known = await this.aliasOf(pipeline);
    if (known !== null) return known;
    const path = `/models/${pipeline.settings.model_id}/aliases/${pipeline.settings.promote_to}`;
    await this.client.ask(pipeline.keyId, { method: 'PUT', path, body: { step: 0 } });
    return 0;
  }

  async data({ pipeline, run, model: { entity, project } }: RunOfPipeline): Promise<StepResult> {
    const { settings, keyId } = pipeline;
    const name = `pipeline-${pipeline.id}`.slice(0, MAX_ARTIFACT_NAME);
    const { kind, options } = settings.data;
    const body = {
      ...{ source: {}, ...(options as JsonObject | null | undefined), kind, entity, project, name },
      model_id: settings.model_id,
    };
    try {
      const path = '/training-data/from-calls';
      const made = await this.client.ask(keyId, { method: 'POST', path, body, idempotencyKey: `${run.id}-data` });
      const train = memberOf(memberOf(made, 'splits'), 'train') ?? memberOf(made, 'url');
      const used = asNumber(memberOf(memberOf(made, 'counts'), 'used')) ?? 0;
      return { made: { data_url: String(train), note: `Of ${used} calls.` }, next: 'training' };
    } catch (error) {
      if (!(error instanceof ServiceRefusedError) || error.status !== UNPROCESSABLE) throw error;
      return { made: {}, end: { status: 'no_data', reason: `There is nothing to learn from: ${error.message}` } };
    }
  }

  async train({ pipeline, run }: RunOfPipeline, step: PipelineRunStepDto): Promise<StepResult> {
    const id = step.training_job_id ?? (await this.startJob(pipeline, run));
    const job = await this.client.ask(pipeline.keyId, { method: 'GET', path: `/training-jobs/${id}` });
    const made = { training_job_id: id };
    const status = memberOf(job, 'status');
    if (status === 'succeeded') {
      const candidate = asNumber(memberOf(memberOf(job, 'produced_checkpoint'), 'step'));
      return { made: { ...made, candidate_step: candidate ?? null }, next: 'evaluation' };
    }
    if (status !== 'failed' && status !== 'cancelled') return { made };
    return {
      made,
      end: failed(`The training job ${status}: ${String(memberOf(memberOf(job, 'error'), 'message') ?? '')}`),
    };
  }

  private async startJob({ settings, keyId }: PipelineRecord, run: PipelineRunRecord): Promise<string> {
    const { kind } = settings.data;
    const config = { ...(settings.config as JsonObject | null | undefined), parent_step: run.currentStep ?? 0 };
    const body: JsonObject = {
      ...{ model_id: settings.model_id, training_data_url: madeBy(run.steps, 'data_url') },
      ...(kind === 'rl' ? { experimental_config: config } : { config }),
      ...(kind === 'thumbs' && { config: { method: 'kto', ...config } }),
    };
    const request = { method: 'POST' as const, path: JOBS[kind], body, idempotencyKey: `${run.id}-training` };
    return String(memberOf(await this.client.ask(keyId, request), 'id'));
  }

  /** A job that a run no longer needs. It may have ended by itself. */
  async cancelJob({ keyId }: PipelineRecord, id: string): Promise<void> {
    try {
      await this.client.ask(keyId, { method: 'POST', path: `/training-jobs/${id}/cancel`, body: {} });
    } catch (error) {
      if (!(error instanceof ServiceRefusedError && [CONFLICT, NOT_FOUND].includes(error.status ?? 0))) throw error;
    }
  }
}

const failed = (reason: string): RunEnd => ({ status: 'failed', reason });

import { asNumber, isJsonObject, type JsonObject, memberOf, type TrainingDataKind } from '@hone/contracts';
import { ServiceRefusedError } from '@hone/service-client';
import { Injectable } from '@nestjs/common';

import { TrainingClient } from './training-client.js';

const UNPROCESSABLE = 422;
const NOT_FOUND = 404;
const CONFLICT = 409;
/** Which jobs learn from which data. */
const JOBS: Readonly<Record<TrainingDataKind, string>> = {
  ...{ sft: '/sft-training-jobs', distill: '/sft-training-jobs', best_of: '/sft-training-jobs' },
  ...{ preference: '/preference-training-jobs', thumbs: '/preference-training-jobs', rl: '/training-jobs' },
};

/** A trainable model, and in the name of which key it is trained. */
export interface ModelOfKey {
  readonly keyId: string;
  readonly modelId: string;
}

export interface TrainedModel {
  readonly entity: string;
  readonly project: string;
  readonly name: string;
}

/** Training data that was made of calls, or why there is none. */
export type DataOfCalls =
  | {
      readonly splits: Readonly<Record<string, string>>;
      readonly url: string | null;
      readonly used: number;
      /** Calls that were left out, as `12 no_reward`. */
      readonly skipped: readonly string[];
    }
  | { readonly nothing: string };

/** What a job learns from, and how. */
export interface JobOrder {
  readonly kind: TrainingDataKind;
  readonly dataUrl: string;
  /** Settings of the job. */
  readonly config: JsonObject;
  /** Step of the checkpoint that it starts from. */
  readonly parentStep: number;
  /** Makes the same order the same job. */
  readonly idempotencyKey: string;
}

/** How far a job is. */
export interface JobProgress {
  readonly isOver: boolean;
  /** Step of the checkpoint that it made; null: none. */
  readonly step: number | null;
  /** Why it made none, in a sentence; null: it did, or goes on. */
  readonly failure: string | null;
}

/** Models, what they learn from, and their aliases, by the training service. All of it may be repeated after a crash. */
@Injectable()
export class ModelTraining {
  constructor(private readonly client: TrainingClient) {}

  async modelOf({ keyId, modelId }: ModelOfKey): Promise<TrainedModel> {
    const model = await this.client.ask(keyId, { method: 'GET', path: `/models/${modelId}` });
    const text = (member: string) => String(memberOf(model, member));
    return { entity: text('entity'), project: text('project'), name: text('name') };
  }

  /** Step of the checkpoint that an alias names; null: there is no such alias. */
  async aliasOf({ keyId, modelId }: ModelOfKey, alias: string): Promise<number | null> {
    const { data } = await this.client.ask(keyId, { method: 'GET', path: `/models/${modelId}/aliases` });
    const aliases = Array.isArray(data) ? data.filter(isJsonObject) : [];
    const found = aliases.find((one) => one['alias'] === alias);
    return found ? (asNumber(found['step']) ?? null) : null;
  }

  /** The step that an alias names, which is made for the base model where there is none. */
  async currentStep(model: ModelOfKey, alias: string): Promise<number> {
    const known = await this.aliasOf(model, alias);
    if (known !== null) return known;
    await this.putAlias(model, alias, { step: 0 });
    return 0;
  }

  /** Moves an alias, unless somebody else has moved it. @returns the step that it names then */
  async moveAlias(model: ModelOfKey, alias: string, move: { from: number; to: number }): Promise<number | null> {
    try {
      await this.putAlias(model, alias, { step: move.to, if_step: move.from });
      return move.to;
    } catch (error) {
      if (!(error instanceof ServiceRefusedError) || error.status !== CONFLICT) throw error;
      // Moved by this work, whose process died before it could say so, or by somebody else.
      return this.aliasOf(model, alias);
    }
  }

  /** @param body as `POST /v1/preview/training-data/from-calls` takes it */
  async dataOf(keyId: string, body: JsonObject, idempotencyKey?: string): Promise<DataOfCalls> {
    const sent = { method: 'POST' as const, path: '/training-data/from-calls', body };
    try {
      const made = await this.client.ask(keyId, { ...sent, ...(idempotencyKey !== undefined && { idempotencyKey }) });
      const { splits, url, skipped } = made;
      const used = asNumber(memberOf(memberOf(made, 'counts'), 'used')) ?? 0;
      return {
        splits: isJsonObject(splits) ? (splits as Record<string, string>) : {},
        url: typeof url === 'string' ? url : null,
        used,
        skipped: (Array.isArray(skipped) ? skipped : []).map(
          (one) => `${memberOf(one, 'count')} ${memberOf(one, 'reason')}`,
        ),
      };
    } catch (error) {
      if (!(error instanceof ServiceRefusedError) || error.status !== UNPROCESSABLE) throw error;
      return { nothing: error.message };
    }
  }

  /** @returns the id of the job */
  async startJob({ keyId, modelId }: ModelOfKey, order: JobOrder): Promise<string> {
    const { kind, dataUrl, parentStep, idempotencyKey } = order;
    const config = { ...order.config, parent_step: parentStep };
    const body: JsonObject = {
      ...{ model_id: modelId, training_data_url: dataUrl },
      ...(kind === 'rl' ? { experimental_config: config } : { config }),
      ...(kind === 'thumbs' && { config: { method: 'kto', ...config } }),
    };
    const job = await this.client.ask(keyId, { method: 'POST', path: JOBS[kind], body, idempotencyKey });
    return String(memberOf(job, 'id'));
  }

  async jobOf(keyId: string, id: string): Promise<JobProgress> {
    const job = await this.client.ask(keyId, { method: 'GET', path: `/training-jobs/${id}` });
    const status = String(memberOf(job, 'status'));
    if (status === 'succeeded') {
      const step = asNumber(memberOf(memberOf(job, 'produced_checkpoint'), 'step')) ?? null;
      return { isOver: true, step, failure: null };
    }
    const isOver = status === 'failed' || status === 'cancelled';
    const message = String(memberOf(memberOf(job, 'error'), 'message') ?? '');
    return { isOver, step: null, failure: isOver ? `The training job ${status}: ${message}` : null };
  }

  /** A job that nobody needs any more. It may have ended by itself. */
  async cancelJob(keyId: string, id: string): Promise<void> {
    try {
      await this.client.ask(keyId, { method: 'POST', path: `/training-jobs/${id}/cancel`, body: {} });
    } catch (error) {
      if (!(error instanceof ServiceRefusedError && [CONFLICT, NOT_FOUND].includes(error.status ?? 0))) throw error;
    }
  }

  private async putAlias({ keyId, modelId }: ModelOfKey, alias: string, body: JsonObject): Promise<void> {
    await this.client.ask(keyId, { method: 'PUT', path: `/models/${modelId}/aliases/${alias}`, body });
  }
}

import { type ImproveDto, IMPROVEMENT_METHODS, type JsonObject } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import { type ModelOfKey, ModelTraining } from '../services/model-training.service.js';
import { TraceClient } from '../services/trace-client.js';
import { TrainingClient } from '../services/training-client.js';
import { heldOutRows, heldOutShare } from './held-out-rows.js';
import type { CandidateRecord, ImprovementRecord } from './improvement.record.js';
import { dataRequest, METHODS } from './improvement-methods.js';

/** Of fewer calls nothing is learnt that would last. */
const MIN_CALLS = 10;
const HELD_OUT = 'held_out';
const FILE_OF_ARTIFACT = /:\/\/\/([^/]+)\/([^/]+)\/([^:]+):(v\d+)\/(.+)$/;

const NOTHING_MADE = {
  ...{ data_url: null, held_out_url: null, training_job_id: null, step: null },
  ...{ run_id: null, gate_id: null, gain: null, win_rate: null },
} as const;

/** What a model can learn from, and what is held out of it. */
@Injectable()
export class ImprovementData {
  constructor(
    private readonly training: ModelTraining,
    private readonly files: TrainingClient,
    private readonly trace: TraceClient,
  ) {}

  /** Which methods the calls allow, and why. @throws ServiceRefusedError, ServiceUnavailableError, KeyEndedError */
  async explore(model: ModelOfKey, settings: ImproveDto): Promise<CandidateRecord[]> {
    const candidates: CandidateRecord[] = [];
    for (const method of IMPROVEMENT_METHODS) {
      if (settings.methods && !settings.methods.includes(method)) continue;
      const found = await this.yieldOf(model, settings, method);
      const state = found.isPossible ? ('possible' as const) : ('not_possible' as const);
      candidates.push({ ...NOTHING_MADE, method, state, reason: found.reason, calls: found.calls });
    }
    return candidates;
  }

  /** Makes the data of a method, without the held-out prompts, which are the same for all. */
  async make(improvement: ImprovementRecord, method: CandidateRecord['method']): Promise<Partial<CandidateRecord>> {
    const { id, keyId, settings, candidates } = improvement;
    const share = heldOutShare(Math.max(...candidates.map(({ calls }) => calls)));
    const split: JsonObject = settings.evaluate.dataset ? { train: 1 } : { train: 1 - share, [HELD_OUT]: share };
    const model = { keyId, modelId: settings.model_id };
    const body = { ...(await this.request(model, settings, method)), split };
    const made = await this.training.dataOf(keyId, body, `${id}-data-${method}`);
    if ('nothing' in made) return { state: 'not_possible', reason: made.nothing };
    const url = made.splits['train'];
    if (url === undefined) return { state: 'not_possible', reason: 'All prompts of its calls are held out.' };
    return { data_url: url, held_out_url: made.splits[HELD_OUT] ?? null };
  }

  /** Stores the held-out rows. @returns their dataset; null: there are none */
  async storeHeldOut({ keyId, settings, candidates, projectId }: ImprovementRecord): Promise<string | null> {
    const files: string[] = [];
    for (const { held_out_url: url } of candidates) {
      const [, entity, project, name, version, file] = (url === null ? null : FILE_OF_ARTIFACT.exec(url)) ?? [];
      const path = `/artifacts/${[entity, project, name, version].join('/')}/files/${file}`;
      if (file !== undefined) files.push(await this.files.read(keyId, { method: 'GET', path }));
    }
    const rows = heldOutRows(files);
    if (rows.length === 0) return null;
    const name = `held-out-${settings.model_id}`;
    const made = await this.trace.ask(keyId, {
      method: 'POST',
      path: `/v2/${projectId}/datasets`,
      body: { name, rows },
    });
    return String(made['dataset_ref']);
  }

  private async yieldOf(model: ModelOfKey, settings: ImproveDto, method: CandidateRecord['method']) {
    if (method === 'distill' && !settings.teacher)
      return { isPossible: false, calls: 0, reason: 'No `teacher` is named whose calls could be learnt from.' };
    const { from } = METHODS[method];
    const body = { ...(await this.request(model, settings, method)), dry_run: true };
    const found = await this.training.dataOf(model.keyId, body);
    if ('nothing' in found) return { isPossible: false, calls: 0, reason: found.nothing };
    const { used, skipped } = found;
    if (used >= MIN_CALLS) return { isPossible: true, calls: used, reason: `${used} calls ${from}.` };
    const why = skipped.length > 0 ? ` Left out: ${skipped.join(', ')}.` : '';
    const reason = `Only ${used} calls ${from}; at least ${MIN_CALLS} are needed.${why}`;
    return { isPossible: false, calls: used, reason };
  }

  private async request(
    model: ModelOfKey,
    settings: ImproveDto,
    method: CandidateRecord['method'],
  ): Promise<JsonObject> {
    const { entity, project } = await this.training.modelOf(model);
    return { ...dataRequest(method, settings), entity, project, name: `improve-${model.modelId}-${method}` };
  }
}

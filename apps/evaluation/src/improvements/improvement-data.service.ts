import { type ImproveDto, IMPROVEMENT_METHODS, type JsonObject, parseArtifactRef } from '@hone/contracts';
import { ServiceRefusedError } from '@hone/service-client';
import { Injectable } from '@nestjs/common';

import { ModelTraining, type TrainedModel } from '../services/model-training.service.js';
import { TraceClient } from '../services/trace-client.js';
import { TrainingClient } from '../services/training-client.js';
import { heldOutShare, MAX_ROWS, rowsToAsk } from './held-out-rows.js';
import type { CandidateRecord, ImprovementRecord } from './improvement.record.js';
import { dataRequest, METHODS, type TrainingMethod } from './improvement-methods.js';

/** Of fewer calls nothing is learnt that would last. */
const MIN_CALLS = 10;
const HELD_OUT = 'held_out';
/** Rows on which edits of a prompt are tried: more are never asked. */
const MAX_PRACTICE = 200;
const TOO_LARGE = 'answer_too_large';

const NOTHING_MADE = {
  ...{ data_url: null, held_out_url: null, training_job_id: null, step: null },
  ...{ prompt_edit_id: null, prompt: null },
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
  async explore(keyId: string, model: TrainedModel, settings: ImproveDto): Promise<CandidateRecord[]> {
    const candidates: CandidateRecord[] = [];
    for (const method of IMPROVEMENT_METHODS) {
      if (settings.methods && !settings.methods.includes(method)) continue;
      const found = await this.yieldOf(keyId, model, settings, method);
      const state = found.isPossible ? ('possible' as const) : ('not_possible' as const);
      candidates.push({ ...NOTHING_MADE, method, state, reason: found.reason, calls: found.calls });
    }
    return candidates;
  }

  /** Makes the data of a method, without the held-out prompts, which are the same for all. */
  async make(
    improvement: ImprovementRecord,
    model: TrainedModel,
    method: TrainingMethod,
  ): Promise<Partial<CandidateRecord>> {
    const { id, keyId, settings, candidates } = improvement;
    const share = heldOutShare(Math.max(...candidates.map(({ calls }) => calls)));
    const split: JsonObject = settings.evaluate.dataset ? { train: 1 } : { train: 1 - share, [HELD_OUT]: share };
    const body = { ...requestOf(model, settings, method), split };
    const made = await this.training.dataOf(keyId, body, `${id}-data-${method}`);
    if ('nothing' in made) return { state: 'not_possible', reason: made.nothing };
    const url = made.splits['train'];
    if (url === undefined) return { state: 'not_possible', reason: 'All prompts of its calls are held out.' };
    return { data_url: url, held_out_url: made.splits[HELD_OUT] ?? null };
  }

  /** Stores the rows on which edits of the prompt are tried: what training learns from. */
  async makePractice(improvement: ImprovementRecord): Promise<Partial<CandidateRecord>> {
    const urls = improvement.candidates.map(({ data_url: url }) => url);
    const dataset = await this.storeRows(improvement, urls, { name: 'practice', max: MAX_PRACTICE });
    if (dataset !== null) return { data_url: dataset };
    return { state: 'not_possible', reason: 'No calls are learnt from on which an edit could be tried.' };
  }

  /** Stores the held-out rows. @returns their dataset; null: there are none */
  storeHeldOut(improvement: ImprovementRecord): Promise<string | null> {
    const urls = improvement.candidates.map(({ held_out_url: url }) => url);
    return this.storeRows(improvement, urls, { name: 'held-out', max: MAX_ROWS });
  }

  private async storeRows(
    { keyId, settings, projectId }: ImprovementRecord,
    urls: readonly (string | null)[],
    { name, max }: { readonly name: string; readonly max: number },
  ): Promise<string | null> {
    const files: string[] = [];
    for (const url of urls) if (url !== null) files.push(await this.readFile(keyId, url));
    const rows = rowsToAsk(files, max);
    if (rows.length === 0) return null;
    const body = { name: `${name}-${settings.model_id}`, rows };
    const made = await this.trace.ask(keyId, { method: 'POST', path: `/v2/${projectId}/datasets`, body });
    return String(made['dataset_ref']);
  }

  /** A file of training data; one that is too large to be read here counts as empty. */
  private async readFile(keyId: string, url: string): Promise<string> {
    const ref = parseArtifactRef(url);
    if (ref?.file === undefined) return '';
    const { entity, project, name, version, file } = ref;
    const path = `/artifacts/${entity}/${project}/${name}/v${version}/files/${file}`;
    try {
      return await this.files.read(keyId, { method: 'GET', path });
    } catch (error) {
      if (error instanceof ServiceRefusedError && error.code === TOO_LARGE) return '';
      throw error;
    }
  }

  private async yieldOf(keyId: string, model: TrainedModel, settings: ImproveDto, method: CandidateRecord['method']) {
    if (method === 'prompt')
      return settings.prompt
        ? { isPossible: true, calls: 0, reason: 'A model edits the prompt.' }
        : { isPossible: false, calls: 0, reason: 'No `prompt` is named that could be edited.' };
    if (method === 'distill' && !settings.teacher)
      return { isPossible: false, calls: 0, reason: 'No `teacher` is named whose calls could be learnt from.' };
    const { from } = METHODS[method];
    const body = { ...requestOf(model, settings, method), dry_run: true };
    const found = await this.training.dataOf(keyId, body);
    if ('nothing' in found) return { isPossible: false, calls: 0, reason: found.nothing };
    const { used, skipped } = found;
    if (used >= MIN_CALLS) return { isPossible: true, calls: used, reason: `${used} calls ${from}.` };
    const why = skipped.length > 0 ? ` Left out: ${skipped.join(', ')}.` : '';
    const reason = `Only ${used} calls ${from}; at least ${MIN_CALLS} are needed.${why}`;
    return { isPossible: false, calls: used, reason };
  }
}

const requestOf = ({ entity, project }: TrainedModel, settings: ImproveDto, method: TrainingMethod): JsonObject => ({
  ...dataRequest(method, settings),
  ...{ entity, project, name: `improve-${settings.model_id}-${method}` },
});

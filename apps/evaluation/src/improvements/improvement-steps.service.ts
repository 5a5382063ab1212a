import type { Principal } from '@hone/auth';
import type { EvaluationJobDto, GateDto, ImprovementCandidateState } from '@hone/contracts';
import { RefScheme } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { GatesService } from '../gates/gates.service.js';
import { EvaluationJobsService } from '../runs/evaluation-jobs.service.js';
import { ModelTraining, type TrainedModel } from '../services/model-training.service.js';
import {
  aliasOf,
  type CandidateRecord,
  changed,
  type ImprovementChange,
  type ImprovementRecord,
} from './improvement.record.js';
import { ImprovementData } from './improvement-data.service.js';
import { METHODS } from './improvement-methods.js';
import { ImprovementPrompt } from './improvement-prompt.service.js';
import { ImprovementSettings } from './improvement-settings.service.js';

const DEFAULT_MINUTES = 120;
const MINUTE_MS = 60_000;
const MAX_NAME = 128;
/** That one evaluation takes. */
const MAX_CANDIDATES = 5;
const CURRENT = 'current';

/** An improvement, and in whose name it goes on. */
export interface OpenedImprovement {
  readonly improvement: ImprovementRecord;
  readonly owner: Principal;
  readonly model: TrainedModel;
}

/** Does the steps of improvements. Each may be repeated after a crash: what it makes is made once. */
@Injectable()
export class ImprovementSteps {
  constructor(
    private readonly data: ImprovementData,
    private readonly prompt: ImprovementPrompt,
    private readonly training: ModelTraining,
    private readonly evaluations: EvaluationJobsService,
    private readonly gates: GatesService,
    private readonly settings: ImprovementSettings,
    private readonly refScheme: RefScheme,
  ) {}

  /** Takes the current step further. */
  advance(opened: OpenedImprovement): Promise<ImprovementChange> {
    switch (opened.improvement.step) {
      case 'data':
        return this.makeData(opened);
      case 'training':
        return this.train(opened);
      case 'evaluation':
        return this.evaluate(opened);
      case 'gate':
        return this.decide(opened);
      case 'promotion':
        return this.promote(opened.improvement);
    }
  }

  private async makeData({ improvement, model }: OpenedImprovement): Promise<ImprovementChange> {
    const { candidates, currentStep, settings, keyId } = improvement;
    if (currentStep === null)
      return { currentStep: await this.training.currentStep(modelOf(improvement), aliasOf(settings)), goesOn: true };
    if (candidates.length === 0) return { candidates: await this.data.explore(keyId, model, settings), goesOn: true };
    const next = candidates.find(({ state, data_url: url }) => state === 'possible' && url === null);
    if (next) {
      const { method } = next;
      const made = await (method === 'prompt'
        ? this.data.makePractice(improvement)
        : this.data.make(improvement, model, method));
      return { candidates: changed(candidates, next.method, made), goesOn: true };
    }
    if (!candidates.some(({ state }) => state === 'possible'))
      return { end: { status: 'no_data', reason: `There is nothing to learn from: ${told(candidates)}` } };
    const dataset = settings.evaluate.dataset ?? (await this.data.storeHeldOut(improvement));
    if (dataset === null)
      return {
        end: {
          status: 'no_data',
          reason: 'No prompt can be held out to compare by: there are too few different ones. Name a `dataset`.',
        },
      };
    return { dataset, step: 'training', goesOn: true };
  }

  /** All jobs are queued at once; the training service does them one after the other. */
  private async train(opened: OpenedImprovement): Promise<ImprovementChange> {
    const { improvement, owner } = opened;
    const { candidates, createdAt, settings, keyId } = improvement;
    const prompt = promptToStart(improvement);
    if (prompt) {
      const { data_url: dataset } = prompt;
      const model = this.refOf(opened.model, improvement.currentStep);
      const prompt_edit_id = await this.prompt.start(improvement, owner, model, dataset as string);
      return { candidates: changed(candidates, 'prompt', { state: 'training', prompt_edit_id }), goesOn: true };
    }
    const isLate = Date.now() > createdAt.getTime() + (settings.max_minutes ?? DEFAULT_MINUTES) * MINUTE_MS;
    const open = candidates.filter(({ state }) => state === 'possible' || state === 'training');
    let next: readonly CandidateRecord[] = candidates;
    for (const candidate of open) {
      const { method, training_job_id: job } = candidate;
      if (isLate && job !== null) await this.training.cancelJob(keyId, job);
      if (isLate) await this.prompt.cancel(owner, candidate);
      const made = isLate ? LATE : await this.trainOne(improvement, owner, candidate);
      next = changed(next, method, made);
    }
    if (next.some(({ state }) => state === 'training')) return { candidates: next };
    if (next.some(({ state }) => state === 'trained')) return { candidates: next, step: 'evaluation', goesOn: true };
    const status = next.some(({ state }) => state === 'not_better') ? 'kept' : 'failed';
    return { candidates: next, end: { status, reason: `There is no candidate: ${told(next)}` } };
  }

  private async trainOne(
    improvement: ImprovementRecord,
    owner: Principal,
    candidate: CandidateRecord,
  ): Promise<Partial<CandidateRecord>> {
    const { id, settings, keyId, currentStep } = improvement;
    const { method, data_url: dataUrl } = candidate;
    if (method === 'prompt') return this.prompt.progress(owner, candidate.prompt_edit_id as string);
    const order = {
      ...{ kind: METHODS[method].kind, dataUrl: dataUrl as string, parentStep: currentStep ?? 0 },
      ...{ config: this.settings.configOf(settings, method), idempotencyKey: `${id}-training-${method}` },
    };
    const job = candidate.training_job_id ?? (await this.training.startJob(modelOf(improvement), order));
    const { isOver, step, failure } = await this.training.jobOf(keyId, job);
    const made = { training_job_id: job, step };
    if (failure !== null) return { ...made, state: 'failed', reason: failure };
    return { ...made, state: isOver ? 'trained' : 'training' };
  }

  /** The current checkpoint and all candidates, the same rows. */
  private async evaluate(opened: OpenedImprovement): Promise<ImprovementChange> {
    const { improvement, owner } = opened;
    const { evaluationIds } = improvement;
    if (evaluationIds.length === 0) return this.startEvaluation(opened);
    for (const id of evaluationIds) {
      const job = await this.evaluations.get(owner, id);
      if (job.finished_at === null) return {};
      if (job.status !== 'done')
        return {
          end: { status: 'failed', reason: `The evaluation ended as ${job.status}. ${job.error ?? ''}`.trim() },
        };
    }
    return { step: 'gate', goesOn: true };
  }

  private async startEvaluation({ improvement, owner, model }: OpenedImprovement): Promise<ImprovementChange> {
    const { settings, projectId, dataset, candidates, currentStep } = improvement;
    const { name } = model;
    const trained = candidates.filter(({ state }) => state === 'trained');
    const current = { side: CURRENT, step: currentStep, prompt: settings.prompt ?? null };
    const sides = [
      current,
      ...trained.map(({ method, step, prompt }) => ({
        ...{ side: method, step: step ?? currentStep, prompt: prompt ?? current.prompt },
      })),
    ];
    const { scorers, trials, parameters } = settings.evaluate;
    const jobs: EvaluationJobDto[] = [];
    for (let from = 0; from < sides.length; from += MAX_CANDIDATES)
      jobs.push(
        await this.evaluations.create(owner, {
          ...{ project_id: projectId, dataset, scorers, trials: trials ?? null },
          max_cost_usd: settings.max_cost_usd ?? null,
          candidates: sides.slice(from, from + MAX_CANDIDATES).map(({ side, step, prompt }) => ({
            ...{ model: this.refOf(model, step), prompt, parameters: parameters ?? null },
            name: `${name}-step${step}-${side}`.slice(-MAX_NAME),
          })),
        }),
      );
    const runs = jobs.flatMap((job) => job.candidates.map(({ evaluation_run_id: run }) => run));
    const asked = trained.reduce<readonly CandidateRecord[]>(
      (all, { method }, at) => changed(all, method, { run_id: runs[at + 1] as string }),
      candidates,
    );
    return { evaluationIds: jobs.map(({ id }) => id), currentRunId: runs[0] as string, candidates: asked };
  }

  /** One gate for each candidate; together they promote one that is no better as rarely as a single gate would. */
  private async decide({ improvement, owner }: OpenedImprovement): Promise<ImprovementChange> {
    const { candidates } = improvement;
    const compared = candidates.filter(({ run_id: run }) => run !== null);
    if (compared.some(({ gate_id: gate }) => gate === null)) return this.openGates(improvement, owner, compared);
    let next: readonly CandidateRecord[] = candidates;
    const gates: GateDto[] = [];
    for (const { method, gate_id: id } of compared) {
      const gate = await this.gates.get(owner, id as string);
      gates.push(gate);
      const win_rate = gate.status === 'decided' ? await this.gates.winRate(gate.id) : null;
      next = changed(next, method, { ...foundBy(gate), win_rate });
    }
    if (gates.some(({ status }) => status === 'open')) return { candidates: next };
    if (next.some(({ state }) => state === 'better')) return { candidates: next, step: 'promotion', goesOn: true };
    const status = next.some(({ state }) => state === 'needs_labels') ? 'needs_labels' : 'kept';
    const found = next
      .filter(({ run_id: run }) => run !== null)
      .map(({ method, state }) => `${method} ${FOUND[state] ?? state}`);
    const reason = `The current checkpoint stays: ${found.join(', ')}.`;
    return { candidates: next, end: { status, reason } };
  }

  private async openGates(
    { settings, projectId, projectRowId, candidates, currentRunId, id }: ImprovementRecord,
    owner: Principal,
    compared: readonly CandidateRecord[],
  ): Promise<ImprovementChange> {
    const project = { id: projectId, rowId: projectRowId };
    const gate = await this.settings.gateOf(project, settings, compared.length);
    let next = candidates;
    for (const { method, run_id: run } of compared) {
      const runs = [currentRunId as string, run as string];
      const name = `improve ${id.slice(-12)} ${method}`;
      const made = await this.gates.create(owner, { ...gate, project_id: projectId, name, runs });
      next = changed(next, method, { gate_id: made.id });
    }
    return { candidates: next };
  }

  /** Moves the alias to the best one that its gate lets through, unless somebody else has moved it. */
  private async promote(improvement: ImprovementRecord): Promise<ImprovementChange> {
    const { candidates, currentStep, settings } = improvement;
    const gainOf = ({ gain }: CandidateRecord) => gain?.estimate ?? 0;
    const [best] = candidates.filter(({ state }) => state === 'better').sort((a, b) => gainOf(b) - gainOf(a));
    if (!best) throw new Error(`No candidate of improvement ${improvement.id} is better.`);
    if (best.prompt !== null) return this.promotePrompt(improvement, best, best.prompt);
    const [alias, from, to] = [aliasOf(settings), currentStep ?? 0, best.step as number];
    const now = await this.training.moveAlias(modelOf(improvement), alias, { from, to });
    if (now !== to)
      return {
        end: { status: 'alias_moved', reason: `Somebody moved '${alias}' to step ${now ?? 'none'} meanwhile.` },
      };
    const reason = `Step ${to}, by ${best.method}, is '${alias}' now; it was step ${from}.`;
    await this.gates.acted(best.gate_id as string, 'promoted', reason);
    return { candidates: changed(candidates, best.method, { state: 'promoted' }), end: { status: 'promoted', reason } };
  }

  private async promotePrompt(
    improvement: ImprovementRecord,
    { gate_id: gate }: CandidateRecord,
    edited: string,
  ): Promise<ImprovementChange> {
    const end = await this.prompt.promote(improvement, edited);
    if (end.status !== 'promoted') return { end };
    await this.gates.acted(gate as string, 'promoted', end.reason);
    return { candidates: changed(improvement.candidates, 'prompt', { state: 'promoted' }), end };
  }

  private refOf({ entity, project, name }: TrainedModel, step: number | null): string {
    return `${this.refScheme.name}-artifact:///${entity}/${project}/${name}:step${step ?? 0}`;
  }
}

/** The edit of the prompt that is to be started, in the transaction that stores its id; undefined: there is none. */
export const promptToStart = ({ step, candidates }: ImprovementRecord): CandidateRecord | undefined =>
  step === 'training' ? candidates.find(({ method, state }) => method === 'prompt' && state === 'possible') : undefined;

const LATE = { state: 'failed', reason: 'It was not trained within `max_minutes`.' } as const;

const modelOf = ({ keyId, settings }: ImprovementRecord) => ({ keyId, modelId: settings.model_id });

const told = (candidates: readonly CandidateRecord[]): string =>
  candidates.map(({ method, reason }) => `${method}: ${reason}`).join(' ');

/** What stands in the sentence of an improvement that keeps the current checkpoint. Why, each candidate's own reason says. */
const FOUND: Readonly<Partial<Record<ImprovementCandidateState, string>>> = {
  ...{ not_better: 'is not proven to be better', worse: 'is worse' },
  ...{ needs_labels: 'needs labels of people', failed: 'could not be compared' },
};

const STATES = { promote: 'better', reject: 'worse', undecided: 'not_better', needs_labels: 'needs_labels' } as const;

/** What a gate says of its candidate by now. */
function foundBy({ status, verdict, sentence, looks }: GateDto): Partial<CandidateRecord> {
  const gain = looks.at(-1)?.gain ?? null;
  if (status === 'open') return { gain, reason: sentence };
  return { gain, reason: sentence, state: verdict === null ? 'failed' : STATES[verdict] };
}

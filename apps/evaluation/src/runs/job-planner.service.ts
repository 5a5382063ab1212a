import type { Principal } from '@hone/auth';
import {
  asNumber,
  type EvaluationCandidateDto,
  type EvaluationJobCreateDto,
  type JsonObject,
  type JsonValue,
  promptMessagesOf,
} from '@hone/contracts';
import { newId } from '@hone/database';
import { EVALUATION_CLASS, MODEL_CLASS, toEvaluationVal, toModelVal } from '@hone/objects/content';
import { RefScheme } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import type { OwnProject } from '../access/evaluation-access.js';
import { ScorerKinds } from '../kinds/kinds.js';
import { type Scorer, ScorerReader } from '../scorers/scorer-reader.service.js';
import { isOfClass, type StoredObject, StoredObjects } from '../stored-objects/stored-objects.service.js';
import { Baselines } from './baselines.service.js';
import { Datasets } from './datasets.service.js';
import type { EvaluationPlan, PlannedCandidate, PlannedPrompt } from './evaluation-job.record.js';
import { EvaluationNotFoundError, PromptNotFoundError } from './evaluation-jobs.errors.js';
import { refused } from './job-form.js';
import { OwnObjects } from './own-objects.service.js';
import { variablesOf } from './row-request.js';

const MAX_ANSWERS = 100_000;
const MAX_ID = 128;
const EVALUATION_END = '-evaluation';

/** What a request means. */
interface Meant {
  readonly dataset: StoredObject;
  readonly scorers: readonly Scorer[];
  readonly trials: number;
  /** Null: it is to be stored. */
  readonly evaluation: StoredObject | null;
}

interface MeantCandidate extends Omit<PlannedCandidate, 'model'> {
  readonly name: string;
  readonly val: JsonObject;
}

/** A plan, and what is not part of the versions that it names. */
export interface PlannedJob {
  readonly plan: EvaluationPlan;
  readonly trials: number;
}

/** Makes of a request what a job does: names become versions, and what the run needs and is not stored is stored. */
@Injectable()
export class JobPlanner {
  constructor(
    private readonly objects: StoredObjects,
    private readonly own: OwnObjects,
    private readonly datasets: Datasets,
    private readonly scorers: ScorerReader,
    private readonly kinds: ScorerKinds,
    private readonly baselines: Baselines,
    private readonly scheme: RefScheme,
  ) {}

  /**
   * Within a transaction: nothing is stored where the request is refused.
   *
   * @throws ValidationError, EvaluationNotFoundError, DatasetNotFoundError, PromptNotFoundError, ScorerNotFoundError
   * @throws ScorerNotDefinedError, NameTakenError
   */
  async plan(author: Principal, project: OwnProject, body: EvaluationJobCreateDto): Promise<PlannedJob> {
    const meant = await this.meantBy(project, body);
    await this.assertScorersWork(meant.scorers, body);
    const table = await this.tableOf(project, meant, body);
    const candidates = await this.candidatesOf(project, body.candidates);
    const evaluation = meant.evaluation ?? (await this.storeEvaluation(author, project, meant));
    const planned: PlannedCandidate[] = [];
    for (const { name, val, ...candidate } of candidates)
      planned.push({ ...candidate, model: await this.own.store(author, project, name, MODEL_CLASS, val) });
    const { trials, scorers } = meant;
    const baseline = await this.baselines.find(project, body.baseline ?? null, scorers, planned);
    const toKey = ({ objectId, digest }: StoredObject | Scorer) => ({ objectId, digest });
    const plan = {
      ...{ table, candidates: planned, scorers: scorers.map(toKey) },
      evaluation: { objectId: evaluation.objectId, digest: evaluation.digest },
      ...(baseline && { baseline }),
    };
    return { plan, trials };
  }

  private async meantBy(project: OwnProject, body: EvaluationJobCreateDto): Promise<Meant> {
    const trials = body.trials ?? null;
    if ((body.evaluation ?? null) === null)
      return {
        dataset: await this.datasets.find(project, body.dataset as string),
        scorers: await this.findScorers(project, body.scorers as string[]),
        trials: trials ?? 1,
        evaluation: null,
      };
    const evaluation = await this.objects.find(project, body.evaluation as string);
    if (evaluation === null || !isOfClass(evaluation.value, EVALUATION_CLASS))
      throw new EvaluationNotFoundError(body.evaluation as string);
    const { dataset, scorers, trials: stored } = evaluation.value;
    const own = Math.max(1, Math.trunc(asNumber(stored) ?? 1));
    if (trials !== null && trials !== own)
      throw refused(`Should be absent or ${own}, which the evaluation says`, 'trials');
    if (own > MAX_TRIALS)
      throw refused(`The evaluation has ${own} trials; at most ${MAX_TRIALS} are run`, 'evaluation');
    const names = Array.isArray(scorers) ? scorers.map(String) : [];
    if (names.length === 0 || names.length > MAX_SCORERS)
      throw refused(`The evaluation should have 1 to ${MAX_SCORERS} scorers`, 'evaluation');
    return {
      dataset: await this.datasets.find(project, String(dataset)),
      scorers: await this.findScorers(project, names),
      trials: own,
      evaluation,
    };
  }

  private async findScorers(project: OwnProject, names: readonly string[]): Promise<Scorer[]> {
    const scorers: Scorer[] = [];
    for (const name of names) scorers.push(await this.scorers.find(project, name));
    return scorers;
  }

  /** Scores are told apart by the names of their scorers. @throws ValidationError */
  private async assertScorersWork(scorers: readonly Scorer[], body: EvaluationJobCreateDto): Promise<void> {
    const field = body.scorers ? 'scorers' : 'evaluation';
    for (const [at, { objectId, definition }] of scorers.entries()) {
      if (scorers.findIndex((other) => other.objectId === objectId) < at)
        throw refused(`Scorer '${objectId}' should be named once`, field);
      const fault = await this.kinds.of(definition.kind).faultOf(definition);
      if (fault !== null) throw refused(`Scorer '${objectId}' cannot be used: ${fault}`, field);
    }
  }

  /** Digest of the dataset's table. */
  private async tableOf(
    project: OwnProject,
    { dataset, trials }: Meant,
    { candidates, evaluation }: EvaluationJobCreateDto,
  ): Promise<string> {
    const { digest, count } = await this.datasets.tableOf(project, dataset);
    const field = evaluation ? 'evaluation' : 'dataset';
    if (count === 0) throw refused('The dataset has no rows', field);
    const answers = count * trials * candidates.length;
    if (answers > MAX_ANSWERS)
      throw refused(`Rows, trials and candidates make ${answers} answers; the limit is ${MAX_ANSWERS}`, field);
    return digest;
  }

  private async candidatesOf(
    project: OwnProject,
    bodies: readonly EvaluationCandidateDto[],
  ): Promise<MeantCandidate[]> {
    const candidates: MeantCandidate[] = [];
    for (const [at, body] of bodies.entries()) {
      const candidate = await this.candidateOf(project, body, at);
      if (candidates.some(({ name }) => name === candidate.name))
        throw refused(`Another candidate is called '${candidate.name}'`, 'candidates', at, 'name');
      candidates.push(candidate);
    }
    return candidates;
  }

  private async candidateOf(project: OwnProject, body: EvaluationCandidateDto, at: number): Promise<MeantCandidate> {
    const stored = body.prompt ? await this.objects.find(project, body.prompt) : null;
    const messages = stored && promptMessagesOf(stored.value);
    if (body.prompt && (stored === null || messages === null)) throw new PromptNotFoundError(body.prompt);
    const asked = body.model ?? null;
    const ofPrompt = stored?.value['model'];
    if (asked === null && typeof ofPrompt !== 'string')
      throw refused('A model is needed: the prompt names none', 'candidates', at, 'model');
    const prompt: PlannedPrompt | null = stored && {
      ...{ objectId: stored.objectId, digest: stored.digest },
      variables: variablesOf(messages as JsonValue[]),
    };
    const parameters = (body.parameters ?? {}) as JsonObject;
    const name = body.name ?? nameOf(prompt?.objectId, String(asked ?? ofPrompt));
    const attributes = { model: asked ?? ofPrompt, ...(stored && { prompt: stored.ref }), parameters };
    const val = toModelVal({ name, description: null, attributes });
    return { name, val, asked, prompt, parameters, runId: newId() };
  }

  private storeEvaluation(
    author: Principal,
    project: OwnProject,
    { dataset, scorers, trials }: Meant,
  ): Promise<{ objectId: string; digest: string }> {
    const name = dataset.objectId.slice(0, MAX_ID - EVALUATION_END.length) + EVALUATION_END;
    const refs = { dataset: dataset.ref, scorers: scorers.map(({ ref }) => ref) };
    const val = toEvaluationVal({ name, trials, ...refs }, this.scheme.name);
    return this.own.store(author, project, name, EVALUATION_CLASS, val);
  }
}

const MAX_TRIALS = 20;
const MAX_SCORERS = 20;

/** An object's id made of those of prompt and model. */
const nameOf = (...parts: (string | undefined)[]): string =>
  parts
    .filter((part) => part !== undefined)
    .join('-')
    .replace(/[^\p{L}\p{N}_.-]+/gu, '-')
    .slice(0, MAX_ID) || 'candidate';

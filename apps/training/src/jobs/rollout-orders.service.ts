import { AccessDeniedError, type Principal } from '@hone/auth';
import { type GradeResultDto, type Issue, type RolloutOrderDto, stringifyJson, toPlainJson } from '@hone/contracts';
import { tryParseJson } from '@hone/json';
import { ValidationError } from '@hone/platform';
import { KeyRequests, type ServiceResponse, ServiceUnavailableError } from '@hone/service-client';
import type { RolloutSettings } from '@hone/training-jobs';
import { Inject, Injectable } from '@nestjs/common';

import { TRAINING_CONFIG, type TrainingConfig } from '../config/training.config.js';
import type { ModelRecord } from '../models/model.record.js';
import { EngineCheck } from './engine-check.js';
import { EvaluationUnavailableError, RolloutsNotConfiguredError, ScorerNotUsableError } from './jobs.errors.js';
import { type ResolvedData, TrainingData } from './training-data.js';

const FIELD = 'rollouts';
const LOOK_UP_MS = 10_000;
const MAX_ANSWER_BYTES = 1_048_576;
/** Surfaces on which the job acts for its author later. */
const SCOPES = ['inference', 'trace'] as const;

/** What a job that samples its own rollouts is made of. */
export interface RolloutPlan {
  readonly settings: RolloutSettings;
  readonly prompts: ResolvedData;
}

/** Fixes what the rollouts of a job are: the prompts, the versions of the scorers, every default. */
@Injectable()
export class RolloutOrders {
  constructor(
    private readonly data: TrainingData,
    private readonly engines: EngineCheck,
    private readonly requests: KeyRequests,
    @Inject(TRAINING_CONFIG) private readonly config: TrainingConfig,
  ) {}

  /**
   * @throws RolloutsNotConfiguredError, ValidationError, AccessDeniedError, ArtifactNotFoundError, DataUrlTooLargeError
   * @throws ScorerNotUsableError, EvaluationUnavailableError
   */
  async fix(author: Principal, model: ModelRecord, order: RolloutOrderDto): Promise<RolloutPlan> {
    const { gatewayUrl, evaluationUrl } = this.config;
    if (gatewayUrl === undefined || evaluationUrl === undefined) throw new RolloutsNotConfiguredError();
    this.engines.assertSamples(model, FIELD);
    for (const scope of SCOPES) if (!author.scopes.has(scope)) throw AccessDeniedError.needsScope(scope);
    const prompts = await this.data.resolve(author, order.prompts_url, [FIELD, 'prompts_url']);
    const scorers = await this.findScorers(author, model, order, evaluationUrl);
    return { prompts, settings: settingsOf(order, prompts.url, scorers) };
  }

  /** Grades nothing: the evaluation service says whether the scorers could, and which versions they are. */
  private async findScorers(
    author: Principal,
    { entity, project }: ModelRecord,
    { scorers }: RolloutOrderDto,
    evaluationUrl: string,
  ): Promise<GradeResultDto['scorers']> {
    try {
      const response = await this.requests.ask(author.keyId, {
        url: `${evaluationUrl}/evaluation/scorers/grade`,
        body: stringifyJson({ project_id: `${entity}/${project}`, scorers: scorers as never, answers: [] }),
        signal: AbortSignal.timeout(LOOK_UP_MS),
        ...{ patienceMs: 0, maxAnswerBytes: MAX_ANSWER_BYTES },
        ...{ name: 'The evaluation service', unreachable: 'evaluation_unreachable' },
      });
      return scorersOf(response);
    } catch (error) {
      const isGone = error instanceof ServiceUnavailableError || (error as Error).name === 'TimeoutError';
      throw isGone ? new EvaluationUnavailableError(error) : error;
    }
  }
}

function scorersOf({ status, text }: ServiceResponse): GradeResultDto['scorers'] {
  const json = toPlainJson(tryParseJson(text) ?? null) as unknown;
  const { detail } = (json ?? {}) as { detail?: unknown };
  const sentence = typeof detail === 'string' ? detail : `The evaluation service answered ${status}.`;
  if (status === 200) return (json as GradeResultDto).scorers;
  if (status === 403) throw AccessDeniedError.noAccessTo('the scorers');
  if (status === 404 || (status === 422 && typeof detail === 'string')) throw new ScorerNotUsableError(sentence);
  if (status === 422 && Array.isArray(detail)) throw new ValidationError((detail as Issue[]).map(within));
  throw new EvaluationUnavailableError(new Error(sentence));
}

/** The fields of both bodies have the same names. */
const within = ({ loc: [body = 'body', ...path], ...issue }: Issue): Issue => ({
  ...issue,
  loc: [body, FIELD, ...path],
});

const settingsOf = (order: RolloutOrderDto, url: string, scorers: GradeResultDto['scorers']): RolloutSettings => ({
  prompts_url: url,
  scorers: scorers.map(({ scorer, criterion, weight }) => ({ scorer: scorer as string, criterion, weight })),
  n: order.n ?? 8,
  prompts_per_round: order.prompts_per_round ?? 8,
  rounds: order.rounds ?? null,
  sampling: {
    temperature: order.sampling?.temperature ?? 1,
    top_p: order.sampling?.top_p ?? 1,
    max_tokens: order.sampling?.max_tokens ?? 256,
  },
  max_cost_usd: order.max_cost_usd ?? null,
  seed: order.seed ?? 0,
});

import { isJsonObject, type JsonObject, type JsonValue, memberOf, stringifyJson } from '@hone/contracts';
import { tryParseJson } from '@hone/json';
import { failureOf, KeyRequests, ServiceRefusedError, ServiceUnavailableError } from '@hone/service-client';
import { Inject, Injectable } from '@nestjs/common';

import { EVALUATION_CONFIG, type EvaluationConfig } from '../config/evaluation.config.js';

const PREFIX = '/v1/preview';
const REQUEST_MS = 120_000;
const MAX_ANSWER_BYTES = 4 * 1_048_576;
/** A conflict that passes: the same request is still being answered. Others say that something has changed. */
const IN_PROGRESS = 'idempotency.in_progress';
const CONFLICT = 409;

/** What is asked of the training service. */
export interface TrainingRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Below `/v1/preview`. */
  readonly path: string;
  readonly body?: JsonObject;
  /** Makes a repetition of a POST the same write. */
  readonly idempotencyKey?: string;
}

/** Asks the training service in the name of the owner of a key. */
@Injectable()
export class TrainingClient {
  constructor(
    private readonly requests: KeyRequests,
    @Inject(EVALUATION_CONFIG) private readonly config: EvaluationConfig,
  ) {}

  /** Whether there is one to ask. */
  get isThere(): boolean {
    return this.config.trainingUrl !== undefined;
  }

  /** @throws ServiceRefusedError, ServiceUnavailableError, KeyEndedError */
  async ask(keyId: string, { method, path, body, idempotencyKey }: TrainingRequest): Promise<JsonObject> {
    const { trainingUrl } = this.config;
    if (trainingUrl === undefined)
      throw new ServiceRefusedError('training_unknown', 'HONE_TRAINING_URL does not say where models are trained.');
    const { status, text } = await this.requests.ask(keyId, {
      ...{ method, url: trainingUrl + PREFIX + path, ...(body && { body: stringifyJson(body) }) },
      headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
      ...{ signal: AbortSignal.timeout(REQUEST_MS), patienceMs: 0, maxAnswerBytes: MAX_ANSWER_BYTES },
      ...{ name: 'The training service', unreachable: 'training_unreachable' },
    });
    const answer = tryParseJson(text);
    if (status === 200 && isJsonObject(answer)) return answer;
    throw refusalOf(status, answer, text);
  }
}

/** A conflict is final here, and a body that is not valid says where. */
function refusalOf(status: number, answer: JsonValue | undefined, text: string): Error {
  const code = memberOf(answer, 'code');
  const detail = memberOf(answer, 'detail');
  const message = Array.isArray(detail) ? sentenceOf(detail[0]) : detail;
  if (status === CONFLICT && code !== IN_PROGRESS)
    return new ServiceRefusedError(String(code), String(message ?? text), false, status);
  const failure = failureOf(status, text);
  if (failure instanceof ServiceUnavailableError || typeof message !== 'string') return failure;
  return new ServiceRefusedError(failure.code, message, false, status);
}

function sentenceOf(issue: JsonValue | undefined): string | undefined {
  const [loc, msg] = [memberOf(issue, 'loc'), memberOf(issue, 'msg')];
  return typeof msg === 'string' ? `${Array.isArray(loc) ? loc.slice(1).join('.') : ''}: ${msg}` : undefined;
}

import { isJsonObject, type JsonObject, type JsonValue, memberOf, stringifyJson } from '@hone/contracts';
import { tryParseJson } from '@hone/json';
import { Inject, Injectable } from '@nestjs/common';

import { EVALUATION_CONFIG, type EvaluationConfig } from '../config/evaluation.config.js';
import { KeyEndedError } from '../gateway/gateway-session.js';
import { KeySessions } from '../gateway/key-sessions.js';

const PREFIX = '/v1/preview';
const REQUEST_MS = 120_000;
const MAX_MESSAGE = 500;
/** Statuses after which the same request may succeed; a conflict may be the same request, still being answered. */
const TRANSIENT = new Set([408, 425, 429, 500, 502, 503, 504]);
const IN_PROGRESS = 'idempotency.in_progress';

/** What is asked of the training service. */
export interface TrainingRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Below `/v1/preview`. */
  readonly path: string;
  readonly body?: JsonObject;
  /** Makes a repetition of a POST the same write. */
  readonly idempotencyKey?: string;
}

/** The training service refused: again it would, too. */
export class TrainingRefusedError extends Error {
  constructor(
    readonly status: number,
    /** Of the error, as `checkpoint.alias_moved`; null: it says none. */
    readonly code: string | null,
    message: string,
  ) {
    super(message);
  }
}

/** No answer this time. */
export class TrainingUnavailableError extends Error {}

/** Asks the training service in the name of the owner of a key. */
@Injectable()
export class TrainingClient {
  constructor(
    private readonly sessions: KeySessions,
    @Inject(EVALUATION_CONFIG) private readonly config: EvaluationConfig,
  ) {}

  /** Whether there is one to ask. */
  get isThere(): boolean {
    return this.config.trainingUrl !== undefined;
  }

  /** @throws TrainingRefusedError, TrainingUnavailableError, KeyEndedError */
  async ask(keyId: string, request: TrainingRequest, isAgain = false): Promise<JsonObject> {
    const response = await this.send(keyId, request);
    if (response.status === 401) {
      this.sessions.forget(keyId);
      if (isAgain) throw new KeyEndedError('The key in whose name the pipeline runs has ended.');
      return this.ask(keyId, request, true);
    }
    const text = await response.text();
    const answer = tryParseJson(text);
    if (response.ok && isJsonObject(answer)) return answer;
    throw failureOf(response.status, answer, text);
  }

  private async send(keyId: string, { method, path, body, idempotencyKey }: TrainingRequest): Promise<Response> {
    const { trainingUrl } = this.config;
    if (trainingUrl === undefined)
      throw new TrainingRefusedError(503, null, 'HONE_TRAINING_URL does not say where models are trained.');
    const headers = {
      ...(await this.sessions.headersOf(keyId)),
      'content-type': 'application/json',
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    };
    try {
      return await fetch(trainingUrl + PREFIX + path, {
        ...{ method, headers, signal: AbortSignal.timeout(REQUEST_MS) },
        ...(body && { body: stringifyJson(body) }),
      });
    } catch (error) {
      throw new TrainingUnavailableError('The training service did not answer.', { cause: error });
    }
  }
}

function failureOf(status: number, answer: JsonValue | undefined, text: string): Error {
  const code = memberOf(answer, 'code');
  const detail = memberOf(answer, 'detail');
  const message = (typeof detail === 'string' ? detail : sentenceOf(detail)) ?? text;
  if (TRANSIENT.has(status) || code === IN_PROGRESS) return new TrainingUnavailableError(message.slice(0, MAX_MESSAGE));
  return new TrainingRefusedError(status, typeof code === 'string' ? code : null, message.slice(0, MAX_MESSAGE));
}

/** Of a body that is not valid: where, and what is expected. */
function sentenceOf(detail: JsonValue | undefined): string | null {
  const first = Array.isArray(detail) ? detail[0] : undefined;
  const [loc, msg] = [memberOf(first, 'loc'), memberOf(first, 'msg')];
  return typeof msg === 'string' ? `${Array.isArray(loc) ? loc.slice(1).join('.') : ''}: ${msg}` : null;
}

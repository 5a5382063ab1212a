import { setTimeout as sleep } from 'node:timers/promises';

import {
  failureOf,
  KeyEndedError,
  KeyRequests,
  RETRY_DELAYS_MS,
  SERVICE_PATIENCE_MS,
  ServiceRefusedError,
  type ServiceResponse,
  ServiceUnavailableError,
} from '@hone/service-client';
import { Inject, Injectable } from '@nestjs/common';

import { TRAINER_CONFIG, type TrainerConfig } from '../config/trainer.config.js';
import {
  RolloutKeyEndedError,
  RolloutsNotConfiguredError,
  RolloutsRefusedError,
  RolloutsUnavailableError,
} from './rollouts.errors.js';

const MAX_ANSWER_BYTES = 64 * 1_048_576;

/** What both services need to know of a request. */
export interface ServiceCall {
  readonly keyId: string;
  /** JSON. */
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

const SERVICES = {
  Sampling: { path: '/v1/chat/completions', name: 'The inference gateway', unreachable: 'gateway_unreachable' },
  Grading: { path: '/evaluation/scorers/grade', name: 'The evaluation service', unreachable: 'evaluation_unreachable' },
} as const;
type Work = keyof typeof SERVICES;

/** Asks the gateway for answers and the evaluation service for grades, in the name of the key that made the job. */
@Injectable()
export class ServiceCalls {
  constructor(
    private readonly requests: KeyRequests,
    @Inject(TRAINER_CONFIG) private readonly config: TrainerConfig,
  ) {}

  /**
   * Tries again what may succeed later.
   *
   * @param callOf makes the request of a try, from 0
   * @throws ServiceRefusedError the request itself is at fault
   * @throws RolloutKeyEndedError, RolloutsRefusedError, RolloutsUnavailableError, RolloutsNotConfiguredError
   * @throws the reason of the signal
   */
  async ask(work: Work, callOf: (attempt: number) => ServiceCall): Promise<ServiceResponse> {
    for (let attempt = 0; ; attempt++) {
      const call = callOf(attempt);
      try {
        return await this.askOnce(work, call);
      } catch (error) {
        call.signal.throwIfAborted();
        const delayMs = RETRY_DELAYS_MS[attempt];
        if (!(error instanceof ServiceUnavailableError) || delayMs === undefined) throw explained(work, error);
        await pause(delayMs, call.signal);
      }
    }
  }

  private async askOnce(work: Work, call: ServiceCall): Promise<ServiceResponse> {
    const { path, name, unreachable } = SERVICES[work];
    const { gatewayUrl, evaluationUrl } = this.config;
    const origin = work === 'Sampling' ? gatewayUrl : evaluationUrl;
    if (origin === undefined) throw new RolloutsNotConfiguredError();
    const { keyId, ...request } = call;
    const response = await this.requests.ask(keyId, {
      ...request,
      ...{ url: origin + path, name, unreachable },
      ...{ patienceMs: SERVICE_PATIENCE_MS, maxAnswerBytes: MAX_ANSWER_BYTES },
    });
    if (response.status !== 200) throw failureOf(response.status, response.text);
    return response;
  }
}

/** @throws the reason of the signal */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
  signal.throwIfAborted();
}

/** Statuses with which the request itself is refused, and not the job. */
const OF_REQUEST = new Set([400, 413, 422]);

function explained(work: Work, error: unknown): unknown {
  if (error instanceof KeyEndedError) return new RolloutKeyEndedError(error);
  if (error instanceof ServiceUnavailableError)
    return new RolloutsUnavailableError(work, error.code, error.message, error);
  if (!(error instanceof ServiceRefusedError) || OF_REQUEST.has(error.status ?? 0)) return error;
  return new RolloutsRefusedError(work, error.code, error.message, error);
}

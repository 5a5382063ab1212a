import { asCount, toNanoUsd } from '@hone/calls';
import { isJsonObject, type JsonObject, memberOf, stringifyJson } from '@hone/contracts';
import { tryParseJson } from '@hone/json';
import { failureOf, KeyRequests } from '@hone/service-client';
import { Inject, Injectable } from '@nestjs/common';

import { EVALUATION_CONFIG, type EvaluationConfig } from '../config/evaluation.config.js';
import { EvaluationMetrics } from '../telemetry/evaluation-metrics.js';
import {
  type ChatAnswer,
  type ChatOptions,
  GatewayRefusedError,
  type GatewaySession,
  GatewayUnavailableError,
} from './gateway-session.js';

const PATH = '/v1/chat/completions';
const MAX_ANSWER_BYTES = 4 * 1_048_576;

interface PatientOptions extends ChatOptions {
  readonly patienceMs: number;
}

/** Asks the inference gateway in the name of the owner of a key. */
@Injectable()
export class GatewayClient {
  constructor(
    private readonly requests: KeyRequests,
    @Inject(EVALUATION_CONFIG) private readonly config: EvaluationConfig,
    private readonly metrics: EvaluationMetrics,
  ) {}

  /** A session in the name of a key's owner. @param patienceMs how long a gateway that does not listen is waited for */
  as(keyId: string, patienceMs = 0): GatewaySession {
    return { chat: (body, options) => this.measured(this.chat(keyId, body, { ...options, patienceMs })) };
  }

  private async measured(asked: Promise<ChatAnswer>): Promise<ChatAnswer> {
    const since = performance.now();
    try {
      const answer = await asked;
      this.metrics.asked('ok', answer.latencyMs);
      return answer;
    } catch (error) {
      const isRefused = error instanceof GatewayRefusedError;
      if (isRefused || error instanceof GatewayUnavailableError)
        this.metrics.asked(isRefused ? 'refused' : 'unavailable', performance.now() - since);
      throw error;
    }
  }

  private async chat(keyId: string, body: JsonObject, options: PatientOptions): Promise<ChatAnswer> {
    const { gatewayUrl } = this.config;
    if (gatewayUrl === undefined)
      throw new GatewayRefusedError('gateway_unknown', 'HONE_GATEWAY_URL does not say where models are asked.');
    const { requestId, projectId, metadata, threadId, signal, patienceMs } = options;
    const { status, text, headers, askedAt, latencyMs } = await this.requests.ask(keyId, {
      url: gatewayUrl + PATH,
      body: stringifyJson(body),
      headers: {
        'x-request-id': requestId,
        'hone-project': toHeader(projectId),
        'hone-metadata': toHeader(stringifyJson(metadata)),
        ...(threadId !== undefined && { 'hone-thread': threadId }),
      },
      ...{ signal, patienceMs, maxAnswerBytes: MAX_ANSWER_BYTES },
      ...{ name: 'The inference gateway', unreachable: 'gateway_unreachable' },
    });
    if (status !== 200) throw failureOf(status, text);
    return { ...answerOf(text, headers), askedAt, latencyMs };
  }
}

/** A header's value of any characters: its UTF-8 bytes. */
const toHeader = (text: string): string => Buffer.from(text).toString('latin1');

const fromHeader = (value: string | null): string | null =>
  value === null ? null : Buffer.from(value, 'latin1').toString();

function answerOf(text: string, headers: Headers): Omit<ChatAnswer, 'askedAt' | 'latencyMs'> {
  const answer = tryParseJson(text);
  const choices = memberOf(answer, 'choices');
  const choice = Array.isArray(choices) ? choices[0] : undefined;
  const message = memberOf(choice, 'message') ?? null;
  if (!isJsonObject(message))
    throw new GatewayUnavailableError('answer_without_message', 'The answer of the model has no message.', true);
  const content = memberOf(message, 'content');
  const usage = memberOf(answer, 'usage');
  const tokens = (name: string) => asCount(memberOf(usage, name)) ?? 0;
  const cost = Number(headers.get('hone-cost') ?? 0);
  return {
    content: typeof content === 'string' ? content : '',
    message,
    logprobs: memberOf(choice, 'logprobs') ?? null,
    usage: { promptTokens: tokens('prompt_tokens'), completionTokens: tokens('completion_tokens') },
    costNanoUsd: Number.isFinite(cost) ? toNanoUsd(cost) : 0,
    call: fromHeader(headers.get('hone-call')),
  };
}

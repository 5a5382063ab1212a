import { setTimeout as sleep } from 'node:timers/promises';

import { asCount, toNanoUsd } from '@hone/calls';
import { isJsonObject, type JsonObject, memberOf, stringifyJson } from '@hone/contracts';
import { tryParseJson } from '@hone/json';
import { Inject, Injectable } from '@nestjs/common';

import { EVALUATION_CONFIG, type EvaluationConfig } from '../config/evaluation.config.js';
import { EvaluationMetrics } from '../telemetry/evaluation-metrics.js';
import {
  type ChatAnswer,
  type ChatOptions,
  GatewayRefusedError,
  type GatewaySession,
  GatewayUnavailableError,
  KeyEndedError,
} from './gateway-session.js';
import { KeySessions, type SessionHeaders } from './key-sessions.js';

const PATH = '/v1/chat/completions';
const REQUEST_MS = 120_000;
const AGAIN_MS = 250;
const MAX_ANSWER_BYTES = 4 * 1_048_576;
const MAX_MESSAGE = 300;
/** Statuses after which the same request may succeed. */
const TRANSIENT = new Set([408, 409, 425, 429, 500, 502, 503, 504]);

interface SentRequest {
  readonly response: Response;
  readonly askedAt: Date;
  /** The same by the clock of durations. */
  readonly since: number;
}

interface PatientOptions extends ChatOptions {
  readonly patienceMs: number;
}

/**
 * Asks the inference gateway in the name of the owner of a key: rights, limits, budgets and usage are theirs.
 */
@Injectable()
export class GatewayClient {
  constructor(
    private readonly sessions: KeySessions,
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

  private async chat(keyId: string, body: JsonObject, options: PatientOptions, isAgain = false): Promise<ChatAnswer> {
    const { gatewayUrl } = this.config;
    if (gatewayUrl === undefined)
      throw new GatewayRefusedError('gateway_unknown', 'HONE_GATEWAY_URL does not say where models are asked.');
    const headers = await this.sessions.headersOf(keyId);
    const { response, askedAt, since } = await this.send(gatewayUrl + PATH, headers, body, options);
    if (response.status === 401) {
      this.sessions.forget(keyId);
      if (isAgain) throw new KeyEndedError('The key in whose name models are asked has ended.');
      return this.chat(keyId, body, options, true);
    }
    const text = await textOf(response);
    if (response.status !== 200) throw failureOf(response.status, text);
    return { ...answerOf(text, response.headers), askedAt, latencyMs: Math.round(performance.now() - since) };
  }

  private async send(
    url: string,
    session: SessionHeaders,
    body: JsonObject,
    options: PatientOptions,
  ): Promise<SentRequest> {
    const until = performance.now() + options.patienceMs;
    for (;;) {
      const sent = { askedAt: new Date(), since: performance.now() };
      try {
        return { ...sent, response: await this.fetch(url, session, body, options) };
      } catch (error) {
        options.signal.throwIfAborted();
        const isRefused = (error as { cause?: { code?: string } }).cause?.code === 'ECONNREFUSED';
        if (!isRefused || performance.now() >= until)
          throw new GatewayUnavailableError('gateway_unreachable', 'The inference gateway did not answer.', !isRefused);
      }
      await sleep(AGAIN_MS, undefined, { signal: options.signal });
    }
  }

  private fetch(url: string, session: SessionHeaders, body: JsonObject, options: ChatOptions): Promise<Response> {
    const { requestId, projectId, metadata, threadId, signal } = options;
    return fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...session,
        'x-request-id': requestId,
        'hone-project': toHeader(projectId),
        'hone-metadata': toHeader(stringifyJson(metadata)),
        ...(threadId !== undefined && { 'hone-thread': threadId }),
      },
      body: stringifyJson(body),
      signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]),
    });
  }
}

const TOO_LARGE = `The answer has more than ${MAX_ANSWER_BYTES} bytes.`;

/** A header's value of any characters: its UTF-8 bytes. */
const toHeader = (text: string): string => Buffer.from(text).toString('latin1');

const fromHeader = (value: string | null): string | null =>
  value === null ? null : Buffer.from(value, 'latin1').toString();

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of response.body ?? []) {
      length += (chunk as Uint8Array).length;
      if (length > MAX_ANSWER_BYTES) throw new GatewayRefusedError('answer_too_large', TOO_LARGE, true);
      chunks.push(chunk as Uint8Array);
    }
  } catch (error) {
    if (error instanceof GatewayRefusedError) throw error;
    throw new GatewayUnavailableError('gateway_unreachable', 'The answer of the gateway ended too early.', true);
  }
  return Buffer.concat(chunks).toString();
}

function failureOf(status: number, text: string): Error {
  const error = memberOf(tryParseJson(text), 'error');
  const code = memberOf(error, 'code') ?? memberOf(error, 'type');
  const name = typeof code === 'string' ? code : `status_${status}`;
  const message = memberOf(error, 'message');
  const sentence = (typeof message === 'string' ? message : text).slice(0, MAX_MESSAGE);
  if (TRANSIENT.has(status)) return new GatewayUnavailableError(name, sentence, status !== 429);
  return new GatewayRefusedError(name, sentence);
}

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

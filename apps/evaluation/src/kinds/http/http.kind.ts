import { createHmac } from 'node:crypto';

import type { HttpScorerDto, JsonObject, ScorerDefinitionDto } from '@hone/contracts';
import { stringifyJson } from '@hone/json';
import { UrlForbiddenError, UrlGuard } from '@hone/platform/url-guard';
import { Inject, Injectable } from '@nestjs/common';
import { type Dispatcher, request } from 'undici';

import { EVALUATION_CONFIG, type EvaluationConfig, SCORER_HOSTS_VARIABLE } from '../../config/evaluation.config.js';
import type { JudgedCall } from '../../judged-calls/judged-call.js';
import { type JudgeContext, type Outcome, type ScorerKind, withoutVerdict } from '../scorer-kind.js';
import { readServerAnswer } from './server-answer.js';

const CONNECT_TIMEOUT_MS = 5_000;
const DEFAULT_TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 65_536;
/** Statuses of servers that are overloaded or restarting: a retry may succeed. */
const BUSY = [408, 425, 429];

/**
 * A server of one's own that judges: each call is posted to it. Requests are signed as https://www.standardwebhooks.com says,
 * and go to hosts alone that the operator allows.
 */
@Injectable()
export class HttpKind implements ScorerKind {
  readonly batchSize = 4;
  private readonly guard: UrlGuard | null;

  constructor(@Inject(EVALUATION_CONFIG) private readonly config: EvaluationConfig) {
    this.guard = config.scorerHosts ? new UrlGuard(config.scorerHosts, SCORER_HOSTS_VARIABLE) : null;
  }

  faultOf(definition: ScorerDefinitionDto): Promise<string | null> {
    const { url } = definition.http as HttpScorerDto;
    try {
      this.assertAllowed(new URL(url));
      return Promise.resolve(null);
    } catch (error) {
      if (error instanceof UrlForbiddenError) return Promise.resolve(error.message);
      throw error;
    }
  }

  async judge(
    calls: readonly JudgedCall[],
    definition: ScorerDefinitionDto,
    context: JudgeContext,
  ): Promise<readonly Outcome[]> {
    return Promise.all(calls.map((call) => this.judgeOne(call, definition.http as HttpScorerDto, context)));
  }

  private async judgeOne(call: JudgedCall, scorer: HttpScorerDto, context: JudgeContext): Promise<Outcome> {
    if (call.values === null) return withoutVerdict('skipped', 'missing_values');
    const timeout = AbortSignal.timeout(scorer.timeout_ms ?? DEFAULT_TIMEOUT_MS);
    try {
      const url = new URL(scorer.url);
      const agent = this.assertAllowed(url).agentFor(url, CONNECT_TIMEOUT_MS);
      try {
        const signal = AbortSignal.any([context.signal, timeout]);
        return await this.ask(url, agent, signal, bodyOf(call, context), context.requestIdOf(call), scorer);
      } finally {
        await agent.destroy();
      }
    } catch (error) {
      context.signal.throwIfAborted();
      if (isForbidden(error)) return withoutVerdict('failed', 'server_not_allowed');
      return withoutVerdict('failed', 'server_unavailable', { isTransient: true });
    }
  }

  private async ask(
    url: URL,
    dispatcher: Dispatcher,
    signal: AbortSignal,
    body: string,
    id: string,
    scorer: HttpScorerDto,
  ): Promise<Outcome> {
    const headers = { 'content-type': 'application/json', ...this.signatureOf(id, body) };
    const answer = await request(url, { method: 'POST', headers, body, dispatcher, signal });
    const { statusCode } = answer;
    if (statusCode >= 500 || BUSY.includes(statusCode))
      return withoutVerdict('failed', 'server_unavailable', { isTransient: true });
    if (statusCode !== 200) return withoutVerdict('failed', 'server_refused');
    const text = await boundedText(answer.body);
    return text === null ? withoutVerdict('failed', 'server_answered_too_much') : readServerAnswer(scorer, text);
  }

  /** Without a secret nothing is signed. */
  private signatureOf(id: string, body: string): Record<string, string> {
    const { scorerSecret: secret } = this.config;
    const seconds = String(Math.floor(Date.now() / 1_000));
    const names = { 'webhook-id': id, 'webhook-timestamp': seconds };
    if (secret === undefined) return names;
    const signature = createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64');
    return { ...names, 'webhook-signature': `v1,${signature}` };
  }

  /** @throws UrlForbiddenError */
  private assertAllowed(url: URL): UrlGuard {
    if (this.guard === null) throw new UrlForbiddenError(`${SCORER_HOSTS_VARIABLE} allows no host`);
    this.guard.assertAllowed(url);
    return this.guard;
  }
}

/** What a server is sent, with the numbers of the call as they were stored. */
function bodyOf({ id, latencyMs, values }: JudgedCall, { projectId, scorerId }: JudgeContext): string {
  const call = { id, latency_ms: latencyMs, ...values };
  return stringifyJson({ project_id: projectId, scorer: scorerId, call } as JsonObject);
}

/** null: it is too long. */
async function boundedText(body: Dispatcher.ResponseData['body']): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** A refusal inside the lookup comes back as the cause of the connection's error. */
function isForbidden(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof UrlForbiddenError) return true;
  return false;
}

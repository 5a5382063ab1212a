import type { IncomingMessage, ServerResponse } from 'node:http';

import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { DenseSet } from '../shared/collections/dense-set.js';
import { ServerStoppingError } from '../shared/errors/unavailable.errors.js';
import { SettingsStore } from '../shared/gateway-settings.js';
import { preflightHeaders } from './cors.js';
import { CHAT_FORM, Exchange, type ExchangeOrigin, type ReplyForm } from './exchange.js';

/** Injection token of the drain time in milliseconds: how long running requests may take at a shutdown. */
export const DRAIN_MS = Symbol('drain ms');

/**
 * Opens the exchange of each request to the inference API, whose handlers write to the connection themselves. At a
 * shutdown it drains them (graceful shutdown): refuses new requests, lets running ones finish within the drain time, and
 * then ends them with an error.
 */
@Injectable()
export class Exchanges implements BeforeApplicationShutdown {
  private readonly running = new DenseSet<Exchange>();
  private isDraining = false;
  private onIdle: () => void = () => undefined;

  constructor(
    private readonly settings: SettingsStore,
    @Inject(DRAIN_MS) private readonly drainMs: number,
  ) {}

  /**
   * Answers a request of a controller with JSON.
   *
   * @param work what it throws is the error of the answer
   * @param form absent: that of chat completions
   */
  async answer(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (exchange: Exchange) => Promise<object>,
    form: ReplyForm = CHAT_FORM,
  ): Promise<void> {
    const exchange = this.takeOver(request, reply, form);
    await this.run(exchange, async () => {
      try {
        exchange.send(200, await work(exchange));
      } catch (error) {
        exchange.refuse(error);
      }
    });
  }

  /** The same for an answer that `work` writes itself, also in the case of an error. */
  stream(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (exchange: Exchange) => Promise<void>,
    form: ReplyForm = CHAT_FORM,
  ): Promise<void> {
    const exchange = this.takeOver(request, reply, form);
    return this.run(exchange, () => work(exchange));
  }

  /** The same for a request that Fastify has not seen. */
  streamRaw(
    raw: IncomingMessage,
    response: ServerResponse,
    origin: ExchangeOrigin,
    work: (exchange: Exchange) => Promise<void>,
  ): Promise<void> {
    const exchange = new Exchange(raw, response, origin, this.settings.current.corsOrigins);
    return this.run(exchange, () => work(exchange));
  }

  refuse(request: FastifyRequest, reply: FastifyReply, error: Error): void {
    this.takeOver(request, reply).refuse(error);
  }

  /** Answers the preflight request of a browser. @param methods that the path takes beside OPTIONS */
  answerPreflight(request: FastifyRequest, reply: FastifyReply, ...methods: string[]): void {
    const exchange = this.takeOver(request, reply);
    const allowed = [...methods, 'OPTIONS'];
    const asked = exchange.header('access-control-request-headers');
    exchange.sendEmpty(204, { allow: allowed.join(', '), ...preflightHeaders(exchange.headers, allowed, asked) });
  }

  /** The server still listens: new requests get a 503, so that a proxy retries elsewhere. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isDraining = true;
    if (this.running.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.onIdle = resolve;
      timer = setTimeout(resolve, this.drainMs);
    });
    clearTimeout(timer);
    for (const exchange of this.running.members()) exchange.stop();
  }

  private takeOver(request: FastifyRequest, reply: FastifyReply, form: ReplyForm = CHAT_FORM): Exchange {
    reply.hijack();
    const exchange = new Exchange(request.raw, reply.raw, request, this.settings.current.corsOrigins);
    exchange.form = form;
    return exchange;
  }

  private async run(exchange: Exchange, work: () => Promise<void>): Promise<void> {
    if (this.isDraining) return exchange.refuse(new ServerStoppingError());
    const entry = this.running.add(exchange);
    try {
      await work();
    } finally {
      this.running.delete(entry);
      if (this.running.size === 0) this.onIdle();
    }
  }
}

import { Injectable } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';

import type { Exchange } from '../chat-completions/exchange.js';
import { SettingsStore } from '../chat-completions/gateway-settings.js';
import type { ObservedRequest } from './observed-request.js';
import { RequestMetrics } from './request-metrics.js';
import { toRequestLine } from './request-line.js';
import { type ObservationTools, RequestObservation } from './request-observation.js';
import { UserHash } from './user-hash.js';

/** Levels at which a line per request is told; making one for nobody costs as much as writing it. */
const TELLS: ReadonlySet<string> = new Set(['trace', 'debug', 'info']);

/** Has each chat completion counted, logged with one line, and traced where an SDK of OpenTelemetry is loaded. */
@Injectable()
export class Observability implements ObservationTools {
  constructor(
    private readonly metrics: RequestMetrics,
    private readonly users: UserHash,
    private readonly settings: SettingsStore,
  ) {}

  /** @returns what follows the request, and is to be told of its end */
  begin(exchange: Exchange): RequestObservation {
    this.metrics.begin();
    return new RequestObservation(exchange, this);
  }

  get isTextTraced(): boolean {
    return this.settings.current.isTextTraced;
  }

  hashUser(user: string): string {
    return this.users.of(user);
  }

  ended(observed: ObservedRequest, log: FastifyBaseLogger): void {
    this.metrics.end(observed);
    if (TELLS.has(log.level)) log.info(toRequestLine(observed), 'completion');
  }
}

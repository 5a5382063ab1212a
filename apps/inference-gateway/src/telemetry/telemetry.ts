import { Injectable } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';

import { SettingsStore } from '../shared/gateway-settings.js';
import { toRequestLine } from './logging/request-line.js';
import { UserHash } from './logging/user-hash.js';
import { RequestMetrics } from './metrics/request-metrics.js';
import type { ObservedRequest } from './request/observed-request.js';
import { type ObservationTools, type ObservedChat, RequestObservation } from './request-observation.js';

/** Log levels at which the line of a request is written; otherwise it is not even composed. */
const LOGGED_LEVELS: ReadonlySet<string> = new Set(['trace', 'debug', 'info']);

/** Counts each chat completion, logs it with one line, and traces it when an OpenTelemetry SDK is loaded. */
@Injectable()
export class Telemetry implements ObservationTools {
  constructor(
    private readonly metrics: RequestMetrics,
    private readonly users: UserHash,
    private readonly settings: SettingsStore,
  ) {}

  /** @returns the observation of one request; call its `end` when the request has ended */
  begin(chat: ObservedChat): RequestObservation {
    this.metrics.begin();
    return new RequestObservation(chat, this);
  }

  get isTextTraced(): boolean {
    return this.settings.current.isTextTraced;
  }

  hashUser(user: string): string {
    return this.users.of(user);
  }

  ended(observed: ObservedRequest, log: FastifyBaseLogger): void {
    this.metrics.end(observed);
    if (LOGGED_LEVELS.has(log.level)) log.info(toRequestLine(observed), 'completion');
  }
}

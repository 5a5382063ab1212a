import { Injectable } from '@nestjs/common';

import type { Exchange } from '../chat-completions/exchange.js';
import { SettingsStore } from '../chat-completions/gateway-settings.js';
import { RequestMetrics } from './request-metrics.js';
import { toRequestLine } from './request-line.js';
import { RequestObservation } from './request-observation.js';
import { UserHash } from './user-hash.js';

/** Has each chat completion counted, logged with one line, and traced where an SDK of OpenTelemetry is loaded. */
@Injectable()
export class Observability {
  constructor(
    private readonly metrics: RequestMetrics,
    private readonly users: UserHash,
    private readonly settings: SettingsStore,
  ) {}

  /** @returns what follows the request, and is to be told of its end */
  begin(exchange: Exchange): RequestObservation {
    const { request } = exchange;
    request.hasOwnLogLine = true;
    this.metrics.begin();
    return new RequestObservation(exchange, {
      isTextTraced: this.settings.current.isTextTraced,
      hashUser: (user) => this.users.of(user),
      onEnd: (observed) => {
        this.metrics.end(observed);
        request.log.info(toRequestLine(observed), 'completion');
      },
    });
  }
}

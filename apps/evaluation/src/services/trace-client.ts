import { KeyRequests } from '@hone/service-client';
import { Inject, Injectable } from '@nestjs/common';

import { EVALUATION_CONFIG, type EvaluationConfig } from '../config/evaluation.config.js';
import { JsonService } from './json-service.js';

/** Asks the trace service. */
@Injectable()
export class TraceClient extends JsonService {
  constructor(requests: KeyRequests, @Inject(EVALUATION_CONFIG) { traceUrl: url }: EvaluationConfig) {
    super(requests, { url, name: 'trace', variable: 'HONE_TRACE_URL' });
  }
}

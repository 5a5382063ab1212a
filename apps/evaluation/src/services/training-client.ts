import { KeyRequests } from '@hone/service-client';
import { Inject, Injectable } from '@nestjs/common';

import { EVALUATION_CONFIG, type EvaluationConfig } from '../config/evaluation.config.js';
import { JsonService } from './json-service.js';

/** Asks the training service, below `/v1/preview`. */
@Injectable()
export class TrainingClient extends JsonService {
  constructor(requests: KeyRequests, @Inject(EVALUATION_CONFIG) { trainingUrl }: EvaluationConfig) {
    const url = trainingUrl === undefined ? undefined : `${trainingUrl}/v1/preview`;
    super(requests, { url, name: 'training', variable: 'HONE_TRAINING_URL' });
  }
}

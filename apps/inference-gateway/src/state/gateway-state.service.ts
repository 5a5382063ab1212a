import { hostname } from 'node:os';

import { AccessDeniedError, isOperator, type Principal } from '@hone/auth';
import type { GatewayStateDto, GatewayStateQueryDto } from '@hone/contracts';
import { newId } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { GatewayModels } from '../catalogue/models/gateway-models.js';
import { KEPT_FAILURES } from '../dispatch/health/recent-attempts.js';
import { SYSTEM_CLOCK } from '../shared/time/clock.js';
import { toGatewayStateDto } from './gateway-state.mapper.js';

/** Of routes of trained models: a gateway may have asked for thousands. */
const MAX_TRAINED_ROUTES = 100;

/** What this process knows of its routes, targets and upstreams. */
@Injectable()
export class GatewayStateService {
  private readonly instance = { id: newId(), startedAt: new Date(), hostname: hostname() };

  constructor(private readonly models: GatewayModels) {}

  /**
   * Ours: any key for inference sees the state, as the names in it are in the model list and in the headers of answers.
   * Addresses, adapters and request ids are for operators; trained models for readers of their projects.
   *
   * @throws ValidationError a wrong parameter
   * @throws AccessDeniedError the key lacks the scope `inference`
   */
  read(caller: Principal, { failures = KEPT_FAILURES }: GatewayStateQueryDto): GatewayStateDto {
    if (!caller.scopes.has('inference')) throw AccessDeniedError.needsScope('inference');
    const { models, instance } = this;
    const mayName = (route: string) => models.mayName(route, caller);
    const trained = models.trainedRoutesInUse().filter(({ id }) => mayName(id));
    return toGatewayStateDto({
      instance,
      isFileRefused: models.isFileRefused,
      routes: models.routes(),
      trainedRoutes: trained.slice(0, MAX_TRAINED_ROUTES),
      upstreams: models.upstreams(),
      view: { isOperator: isOperator(caller), mayName, failures },
      clock: SYSTEM_CLOCK,
    });
  }
}

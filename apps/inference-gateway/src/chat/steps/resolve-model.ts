import type { ProjectGrant } from '@hone/auth';
import { Injectable } from '@nestjs/common';

import { GatewayModels } from '../../catalogue/models/gateway-models.js';
import { ModelNotFoundError, ModelOfOtherKindError } from '../../catalogue/models/models.errors.js';
import type { ResolvedModel } from '../../catalogue/models/resolved-model.js';
import { answers } from '../../dispatch/route/route.js';
import { UsageProjects } from '../../metering/projects/usage-projects.service.js';
import { CHAT } from '../../shared/endpoint.js';
import { step } from '../../shared/step.js';
import type { ChatContext, ChatStep } from '../chat-context.js';

/**
 * Finds the route of the model, and the checkpoint of a trained one. A request that names no project is booked to that of
 * the trained model.
 *
 * @throws ModelNotFoundError, ModelOfOtherKindError, the refusal of what no target can carry, and what {@link GatewayModels.find} throws
 */
@Injectable()
export class ResolveModel implements ChatStep {
  constructor(
    private readonly models: GatewayModels,
    private readonly projects: UsageProjects,
  ) {}

  run(chat: ChatContext): void | Promise<void> {
    const { model } = chat.parsed.dto;
    return step(this.models.find(model, chat.caller), (found) => {
      if (found === null) throw new ModelNotFoundError(model);
      const { endpoint = CHAT, native, refusal } = chat.parsed;
      if (refusal !== undefined && native !== undefined) {
        if (!answers(found.route, native.endpoint)) throw refusal;
      } else if (!answers(found.route, endpoint)) {
        throw new ModelOfOtherKindError(model, endpoint, this.models.serving(endpoint, chat.caller));
      }
      chat.model = found;
      return step(this.billedProject(chat, found), (project) => {
        chat.project = project;
      });
    });
  }

  private billedProject(
    { caller, exchange, settings, project }: ChatContext,
    { projectId }: ResolvedModel,
  ): ProjectGrant | Promise<ProjectGrant> {
    const isNamed = projectId === null || exchange.firstHeader(settings.projectHeaders) !== undefined;
    return isNamed ? project : this.projects.ofModel(caller, projectId, project);
  }
}

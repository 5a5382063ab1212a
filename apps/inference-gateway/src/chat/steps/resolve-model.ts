import type { ProjectGrant } from '@hone/auth';
import { Injectable } from '@nestjs/common';

import { GatewayModels } from '../../catalogue/models/gateway-models.js';
import { ModelNotFoundError, ModelOfOtherKindError } from '../../catalogue/models/models.errors.js';
import { inOrder, type ResolvedModel } from '../../catalogue/models/resolved-model.js';
import { ModelNotServedError } from '../../catalogue/trained/trained.errors.js';
import { answers } from '../../dispatch/route/route.js';
import { UsageProjects } from '../../metering/projects/usage-projects.service.js';
import { CHAT } from '../../shared/endpoint.js';
import { step } from '../../shared/step.js';
import type { ChatContext, ChatStep } from '../chat-context.js';

/**
 * Finds the route of the model, and the checkpoint of a trained one; with the models that may answer in its place, as one.
 * A request that names no project is booked to that of the trained model.
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
    const finding =
      chat.fallbacks.length === 0 ? this.find(chat, model) : this.findAll(chat, [model, ...chat.fallbacks]);
    return step(finding, (found) => {
      chat.model = found;
      return step(this.billedProject(chat, found), (project) => {
        chat.project = project;
      });
    });
  }

  private find(chat: ChatContext, model: string): ResolvedModel | Promise<ResolvedModel> {
    return step(this.models.find(model, chat.caller), (found) => {
      if (found === null) throw new ModelNotFoundError(model);
      const { endpoint = CHAT, native, refusal } = chat.parsed;
      if (refusal !== undefined && native !== undefined) {
        if (answers(found.route, native.endpoint)) return found;
        throw refusal;
      }
      if (answers(found.route, endpoint)) return found;
      throw new ModelOfOtherKindError(model, endpoint, this.models.serving(endpoint, chat.caller));
    });
  }

  /** A model that nothing serves is left out where another is there; each name must be one that the caller may use. */
  private async findAll(chat: ChatContext, names: readonly string[]): Promise<ResolvedModel> {
    const found: ResolvedModel[] = [];
    let unserved: ModelNotServedError | null = null;
    for (const name of names) {
      try {
        found.push(await this.find(chat, name));
      } catch (error) {
        if (!(error instanceof ModelNotServedError)) throw error;
        unserved ??= error;
      }
    }
    if (found.length === 0 && unserved !== null) throw unserved;
    return inOrder(found);
  }

  private billedProject(
    { caller, exchange, settings, project }: ChatContext,
    { projectId }: ResolvedModel,
  ): ProjectGrant | Promise<ProjectGrant> {
    const isNamed = projectId === null || exchange.firstHeader(settings.projectHeaders) !== undefined;
    return isNamed ? project : this.projects.ofModel(caller, projectId, project);
  }
}

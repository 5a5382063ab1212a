import type { ProjectGrant } from '@hone/auth';
import { Injectable } from '@nestjs/common';

import { readThread } from '../../call-log/log-headers.js';
import { GatewayModels } from '../../catalogue/models/gateway-models.js';
import { ModelNotFoundError, ModelOfOtherKindError } from '../../catalogue/models/models.errors.js';
import { inOrder, type ResolvedModel } from '../../catalogue/models/resolved-model.js';
import { ModelNotServedError } from '../../catalogue/trained/trained.errors.js';
import type { AliasSplit } from '../../catalogue/trained/trained-model.js';
import { answers } from '../../dispatch/route/route.js';
import { UsageProjects } from '../../metering/projects/usage-projects.service.js';
import { CHAT } from '../../shared/endpoint.js';
import { step } from '../../shared/step.js';
import type { ChatContext, ChatStep } from '../chat-context.js';
import { drawArm, ofProduction } from '../splits/drawn-arm.js';
import { SplitModels } from '../splits/split-models.service.js';

/**
 * Finds the route of the model, and the checkpoint of a trained one; with the models that may answer in its place, as one.
 * A request that names no project is booked to that of the trained model. Of an alias with a split, the arm of the request's
 * thread answers; models that may answer in its place are not split.
 *
 * @throws ModelNotFoundError, ModelOfOtherKindError, the refusal of what no target can carry, and what {@link GatewayModels.find} throws
 */
@Injectable()
export class ResolveModel implements ChatStep {
  constructor(
    private readonly models: GatewayModels,
    private readonly projects: UsageProjects,
    private readonly splitModels: SplitModels,
  ) {}

  run(chat: ChatContext): void | Promise<void> {
    const { model } = chat.parsed.dto;
    const finding =
      chat.fallbacks.length === 0 ? this.findFirst(chat, model) : this.findAll(chat, [model, ...chat.fallbacks]);
    return step(finding, (found) => {
      chat.model = found;
      return step(this.billedProject(chat, found), (project) => {
        chat.project = project;
      });
    });
  }

  private findFirst(chat: ChatContext, name: string): ResolvedModel | Promise<ResolvedModel> {
    return step(this.find(chat, name), (found) =>
      found.split === null ? found : this.armOf(chat, found, found.split),
    );
  }

  /** Draws the arm of the request's thread. Where its model is not there, or not for this request, production answers. */
  private async armOf(chat: ChatContext, production: ResolvedModel, split: AliasSplit): Promise<ResolvedModel> {
    const drawn = drawArm(split, threadOf(chat));
    const model = drawn && (await this.splitModels.find(drawn.model, chat.caller));
    if (drawn === null || model === null || !mayAnswer(model, chat)) {
      chat.drawn = ofProduction(split, drawn?.name);
      return production;
    }
    chat.drawn = { split, arm: drawn.name, unresolved: null };
    // Requests of all arms are booked alike.
    return { ...model, projectId: production.projectId };
  }

  private find(chat: ChatContext, model: string): ResolvedModel | Promise<ResolvedModel> {
    return step(this.models.find(model, chat.caller), (found) => {
      if (found === null) throw new ModelNotFoundError(model);
      if (mayAnswer(found, chat)) return found;
      const { endpoint = CHAT, native, refusal } = chat.parsed;
      if (refusal !== undefined && native !== undefined) throw refusal;
      throw new ModelOfOtherKindError(model, endpoint, this.models.serving(endpoint, chat.caller));
    });
  }

  /** A model that nothing serves is left out where another is there; each name must be one that the caller may use. */
  private async findAll(chat: ChatContext, names: readonly string[]): Promise<ResolvedModel> {
    const found: ResolvedModel[] = [];
    let unserved: ModelNotServedError | null = null;
    for (const [at, name] of names.entries()) {
      try {
        found.push(await (at === 0 ? this.findFirst(chat, name) : this.find(chat, name)));
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

/** Whether a model answers the endpoint, or the door itself where no chat completion can carry the request. */
const mayAnswer = ({ route }: ResolvedModel, { parsed: { endpoint = CHAT, native, refusal } }: ChatContext): boolean =>
  answers(route, refusal !== undefined && native !== undefined ? native.endpoint : endpoint);

/** What a draw goes by: the conversation as the call has it, else the request. */
const threadOf = ({ exchange, parsed }: ChatContext): string =>
  readThread(exchange.header('hone-thread')) ?? (parsed.dto.user || exchange.rid);

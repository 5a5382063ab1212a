import type { Principal } from '@hone/auth';
import {
  type InferenceModelDto,
  type InferenceModelListDto,
  isStorableText,
  pathParameterIssues,
} from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import { GatewayModels } from '../catalogue/models/gateway-models.js';
import { ModelNotFoundError } from '../catalogue/models/models.errors.js';
import type { ListedModel } from '../catalogue/routes/listed-model.js';
import { CallerStore } from '../http/caller-store.js';
import type { Exchange } from '../http/exchange.js';
import { UsageProjects } from '../metering/projects/usage-projects.service.js';
import { InvalidRequestError } from '../shared/errors/gateway-error.js';
import { SettingsStore } from '../shared/gateway-settings.js';

/**
 * Models that callers may name.
 *
 * @throws what {@link CallerStore.get} throws, and ProjectForbiddenError
 */
@Injectable()
export class ModelsService {
  constructor(
    private readonly callers: CallerStore,
    private readonly models: GatewayModels,
    private readonly projects: UsageProjects,
    private readonly settings: SettingsStore,
  ) {}

  async list(exchange: Exchange): Promise<InferenceModelListDto> {
    const models = await this.models.list(await this.callerOf(exchange));
    return { object: 'list', data: models.map(toModelDto) };
  }

  /** @param id decoded @throws InvalidRequestError, ModelNotFoundError */
  async get(exchange: Exchange, id: string): Promise<InferenceModelDto> {
    const caller = await this.callerOf(exchange);
    // Ours: as in the other services, a path with U+0000 names nothing, other control characters are bad form.
    const issues = isStorableText(id) ? pathParameterIssues('id', id) : [];
    if (issues.length > 0) throw new InvalidRequestError(issues);
    const found = await this.models.findListed(id, caller);
    if (found === null) throw new ModelNotFoundError(id);
    return toModelDto(found);
  }

  /** Models do not depend on the project: the header is only checked and logged. */
  private async callerOf(exchange: Exchange): Promise<Principal> {
    const caller = await this.callers.get(exchange);
    const named = exchange.firstHeader(this.settings.current.projectHeaders);
    if (named === undefined) return caller;
    const { projectId } = await this.projects.authorize(caller, named);
    exchange.origin.log.info({ rid: exchange.rid, project: projectId }, 'models listed');
    return caller;
  }
}

const toModelDto = ({ id, created, ownedBy, root, kind }: ListedModel): InferenceModelDto => ({
  id,
  object: 'model',
  created,
  owned_by: ownedBy,
  root,
  ...(kind && { kind }),
});

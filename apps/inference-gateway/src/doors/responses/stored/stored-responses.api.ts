import type { Principal, ProjectGrant } from '@hone/auth';
import type { DeletedResponseDto, InputItemListDto, InputItemsQueryDto } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import { CallerStore } from '../../../http/caller-store.js';
import type { Exchange } from '../../../http/exchange.js';
import { UsageProjects } from '../../../metering/projects/usage-projects.service.js';
import { SettingsStore } from '../../../shared/gateway-settings.js';
import { invalid } from '../../translation/refusals.js';
import { StoredResponses } from './stored-responses.service.js';

const DEFAULT_LIMIT = 20;

/**
 * Requests for stored responses: who asks, and in which project.
 *
 * @throws what {@link CallerStore.get} throws, ProjectForbiddenError, ResponseNotFoundError
 */
@Injectable()
export class StoredResponsesApi {
  constructor(
    private readonly callers: CallerStore,
    private readonly projects: UsageProjects,
    private readonly settings: SettingsStore,
    private readonly responses: StoredResponses,
  ) {}

  async get(exchange: Exchange, id: string): Promise<object> {
    const { project } = await this.admit(exchange);
    return this.responses.get(project, id);
  }

  async delete(exchange: Exchange, id: string): Promise<DeletedResponseDto> {
    const { caller, project } = await this.admit(exchange);
    await this.responses.delete(caller, project, id);
    return { id, object: 'response', deleted: true };
  }

  /** @throws InvalidRequestError `after` is no item of the response */
  async inputItems(
    exchange: Exchange,
    id: string,
    { limit = DEFAULT_LIMIT, order = 'desc', after }: InputItemsQueryDto,
  ): Promise<InputItemListDto> {
    const { project } = await this.admit(exchange);
    const items = [...(await this.responses.inputItems(project, id))];
    if (order === 'desc') items.reverse();
    const from = after === undefined ? 0 : items.findIndex((item) => item.id === after) + 1;
    if (after !== undefined && from === 0) throw invalid(['after'], 'The response has no such item');
    const data = items.slice(from, from + limit);
    return {
      object: 'list',
      data,
      first_id: data[0]?.id ?? null,
      last_id: data.at(-1)?.id ?? null,
      has_more: from + limit < items.length,
    };
  }

  private async admit(exchange: Exchange): Promise<{ caller: Principal; project: ProjectGrant }> {
    const caller = await this.callers.get(exchange);
    const named = exchange.firstHeader(this.settings.current.projectHeaders);
    const project = await this.projects.authorize(caller, named);
    return { caller, project };
  }
}

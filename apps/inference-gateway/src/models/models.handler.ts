import type { Principal } from '@hone/auth';
import { Inject, Injectable } from '@nestjs/common';

import { CallerStore } from '../chat-completions/caller.js';
import type { Exchange } from '../chat-completions/exchange.js';
import { modelNotFound } from '../chat-completions/gateway-error.js';
import { SettingsStore } from '../chat-completions/gateway-settings.js';
import { METERING, type Metering } from '../chat-completions/metering.js';
import { type ListedModel, ROUTE_DIRECTORY, type RouteDirectory } from './route-directory.js';

/** `GET /v1/models` and `GET /v1/models/{id}`. */
@Injectable()
export class ModelsHandler {
  constructor(
    private readonly callers: CallerStore,
    @Inject(ROUTE_DIRECTORY) private readonly routes: RouteDirectory,
    @Inject(METERING) private readonly metering: Metering,
    private readonly settings: SettingsStore,
  ) {}

  /** @param id null: all of them; else decoded */
  async handle(exchange: Exchange, id: string | null): Promise<void> {
    try {
      const caller = await this.callers.get(exchange);
      await this.checkProject(exchange, caller);
      if (id === null) {
        const models = await this.routes.list(caller);
        return exchange.send(200, { object: 'list', data: models.map(toEntry) });
      }
      const found = await this.routes.findListed(id, caller);
      if (found === null) throw modelNotFound(id);
      exchange.send(200, toEntry(found));
    } catch (error) {
      exchange.refuse(error);
    }
  }

  /** The list is not the project's: the header only has to be right, and is noted. @throws GatewayError 403 */
  private async checkProject(exchange: Exchange, caller: Principal): Promise<void> {
    const named = exchange.firstHeader(this.settings.current.projectHeaders);
    if (named === undefined) return;
    const { projectId } = await this.metering.authorize(caller, named);
    exchange.origin.log.info({ rid: exchange.rid, project: projectId }, 'models listed');
  }
}

const toEntry = ({ id, created, ownedBy, root }: ListedModel) => ({
  id,
  object: 'model',
  created,
  owned_by: ownedBy,
  root,
});

import type { Principal } from '@hone/auth';
import { isStorableText, pathParameterIssues } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import { GatewayModels } from '../../catalogue/models/gateway-models.js';
import type { ListedModel } from '../../catalogue/routes/listed-model.js';
import { CallerStore } from '../../edge/caller-store.js';
import type { Exchange } from '../../edge/exchange.js';
import { InvalidRequestError, modelNotFound } from '../../shared/errors/gateway-error.js';
import { SettingsStore } from '../../shared/gateway-settings.js';
import { RequestMetering } from '../chat-completions/request-metering.js';

/** `GET /v1/models` and `GET /v1/models/{id}`. */
@Injectable()
export class ModelsHandler {
  constructor(
    private readonly callers: CallerStore,
    private readonly models: GatewayModels,
    private readonly metering: RequestMetering,
    private readonly settings: SettingsStore,
  ) {}

  /** @param id decoded; null: lists all models */
  async handle(exchange: Exchange, id: string | null): Promise<void> {
    try {
      const caller = await this.callers.get(exchange);
      await this.checkProject(exchange, caller);
      if (id === null) {
        const models = await this.models.list(caller);
        return exchange.send(200, { object: 'list', data: models.map(toEntry) });
      }
      // Ours: as in the other services, a path with U+0000 names nothing, other control characters are bad form.
      const issues = isStorableText(id) ? pathParameterIssues('id', id) : [];
      if (issues.length > 0) throw new InvalidRequestError(issues);
      const found = await this.models.findListed(id, caller);
      if (found === null) throw modelNotFound(id);
      exchange.send(200, toEntry(found));
    } catch (error) {
      exchange.refuse(error);
    }
  }

  /** The list does not depend on the project: the header is only checked and logged. @throws GatewayError 403 */
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

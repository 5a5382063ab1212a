import { Inject, Injectable } from '@nestjs/common';

import { CallerStore } from '../chat-completions/caller.js';
import type { Exchange } from '../chat-completions/exchange.js';
import { modelNotFound } from '../chat-completions/gateway-error.js';
import { type ListedModel, ROUTE_DIRECTORY, type RouteDirectory } from './route-directory.js';

/** `GET /v1/models` and `GET /v1/models/{id}`. */
@Injectable()
export class ModelsHandler {
  constructor(
    private readonly callers: CallerStore,
    @Inject(ROUTE_DIRECTORY) private readonly routes: RouteDirectory,
  ) {}

  /** @param id null: all of them; else percent-encoded or raw, for an id may hold slashes and colons */
  async handle(exchange: Exchange, id: string | null): Promise<void> {
    try {
      const caller = await this.callers.get(exchange.request);
      const models = await this.routes.list(caller);
      if (id === null) return exchange.send(200, { object: 'list', data: models.map(toEntry) });
      const found = models.find((model) => model.id === id || model.id === decoded(id));
      if (found === undefined) throw modelNotFound(id);
      exchange.send(200, toEntry(found));
    } catch (error) {
      exchange.refuse(error);
    }
  }
}

const toEntry = ({ id, created, ownedBy, root }: ListedModel) => ({
  id,
  object: 'model',
  created,
  owned_by: ownedBy,
  root,
});

function decoded(id: string): string | null {
  try {
    return decodeURIComponent(id);
  } catch {
    return null;
  }
}

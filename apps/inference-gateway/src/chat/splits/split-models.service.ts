import type { Principal } from '@hone/auth';
import { leastRecentlyUsed } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { GatewayModels } from '../../catalogue/models/gateway-models.js';
import type { ResolvedModel } from '../../catalogue/models/resolved-model.js';
import { ModelNotServedError, TooManyLookupsError } from '../../catalogue/trained/trained.errors.js';

const MAX_ABSENT = 10_000;
/** A model that was not there is looked for again after this time. */
const RETRY_MS = 1_000;

/**
 * Finds what arms and shadows of splits name. Each look-up of a model that is not there counts against the key of the caller,
 * who did not name it: so it is looked for once a second alone.
 */
@Injectable()
export class SplitModels {
  /** Key of the caller and name of the model. */
  private readonly absent = leastRecentlyUsed<true>({ max: MAX_ABSENT, ttl: RETRY_MS });

  constructor(private readonly models: GatewayModels) {}

  /** Null: there is no such model, nothing serves it, or the caller may not ask it. @throws GatewayError 503 */
  async find(name: string, caller: Principal): Promise<ResolvedModel | null> {
    const key = `${caller.keyId} ${name}`;
    if (this.absent.has(key)) return null;
    const found = await this.findNow(name, caller);
    if (found === null) this.absent.set(key, true);
    return found;
  }

  private async findNow(name: string, caller: Principal): Promise<ResolvedModel | null> {
    try {
      return await this.models.find(name, caller);
    } catch (error) {
      if (error instanceof ModelNotServedError || error instanceof TooManyLookupsError) return null;
      throw error;
    }
  }
}

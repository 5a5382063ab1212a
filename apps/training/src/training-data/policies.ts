import { AccessDeniedError, type Principal } from '@hone/auth';
import { Injectable } from '@nestjs/common';

import { ModelNotFoundError } from '../models/model.errors.js';
import type { ModelRecord } from '../models/model.record.js';
import { ModelAccess } from '../models/model-access.js';
import type { Entry } from './arranging/entry.js';
import { PoliciesRepository } from './policies.repository.js';

/** Calls may name any model: so many are looked up. */
const MAX_LOOKED_UP = 32;

/** The model whose samples are taken. */
export interface ChosenPolicy {
  readonly model: ModelRecord;
  readonly latestStep: number;
}

/** Finds out which weights have answered. */
@Injectable()
export class Policies {
  constructor(
    private readonly models: ModelAccess,
    private readonly policies: PoliciesRepository,
  ) {}

  /**
   * The model that most calls are of, of those that the caller may read; of equals the one with the lowest id.
   *
   * @param wanted the only one that may be taken; null: any
   * @returns `unknown`: ids of models that are not there, or not the caller's to read
   */
  async choose(
    caller: Principal,
    entries: readonly Entry[],
    wanted: ModelRecord | null,
  ): Promise<{ chosen: ChosenPolicy | null; unknown: ReadonlySet<string> }> {
    const unknown = new Set<string>();
    if (wanted) return { chosen: await this.toChosen(wanted), unknown };
    const counts = new Map<string, number>();
    for (const { policy } of entries) if (policy) counts.set(policy.modelId, (counts.get(policy.modelId) ?? 0) + 1);
    const byCount = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
    for (const [id] of byCount.slice(0, MAX_LOOKED_UP)) {
      const model = await this.findReadable(caller, id);
      if (model) return { chosen: await this.toChosen(model), unknown };
      unknown.add(id);
    }
    return { chosen: null, unknown };
  }

  private async toChosen(model: ModelRecord): Promise<ChosenPolicy> {
    return { model, latestStep: await this.policies.findLatestStep(model) };
  }

  private async findReadable(caller: Principal, id: string): Promise<ModelRecord | null> {
    try {
      return await this.models.getReadable(caller, id);
    } catch (error) {
      if (error instanceof ModelNotFoundError || error instanceof AccessDeniedError) return null;
      throw error;
    }
  }
}

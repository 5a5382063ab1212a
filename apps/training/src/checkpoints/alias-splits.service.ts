import { isDeepStrictEqual } from 'node:util';

import { AuditLog, type Principal } from '@hone/auth';
import { type AliasSplitDto, type AliasSplitPutDto, type SplitArmDto, valueIssue } from '@hone/contracts';
import { Database } from '@hone/database';
import { ValidationError } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { projectIdOf } from '../access/training-access.js';
import { CheckpointNotifications } from '../models/checkpoint-notifications.repository.js';
import type { ModelRecord } from '../models/model.record.js';
import { ModelAccess } from '../models/model-access.js';
import { SplitChangedError, SplitNotFoundError } from './alias-split.errors.js';
import { toAliasSplit } from './alias-split.mapper.js';
import type { AliasSplit, SplitDraft } from './alias-split.record.js';
import { AliasSplitRepository } from './alias-split.repository.js';
import { allocateThreads, isTooMuch } from './allocate-threads.js';
import { CheckpointAliasNotFoundError } from './checkpoint.errors.js';
import { CheckpointAliasRepository } from './checkpoint-alias.repository.js';
import { type NamedTarget, SplitTargets } from './split-targets.service.js';

/** Splits the requests that name an alias over several models, which gateways obey at once. */
@Injectable()
export class AliasSplitsService {
  constructor(
    private readonly splits: AliasSplitRepository,
    private readonly targets: SplitTargets,
    private readonly aliases: CheckpointAliasRepository,
    private readonly models: ModelAccess,
    private readonly notifications: CheckpointNotifications,
    private readonly audit: AuditLog,
    private readonly database: Database,
  ) {}

  /** @throws ModelNotFoundError, AccessDeniedError, SplitNotFoundError */
  async get(caller: Principal, modelId: string, alias: string): Promise<AliasSplitDto> {
    const model = await this.models.getReadable(caller, modelId);
    const split = await this.splits.find(model, alias);
    if (split === null) throw new SplitNotFoundError(alias);
    return toAliasSplit(model.id, split);
  }

  /**
   * Makes a split, or changes it. Of several that say the same `if_version`, one wins.
   *
   * @throws ValidationError two arms have one name, the weights are more than 1, it has neither arm nor shadow, or names its alias
   * @throws ModelNotFoundError, AccessDeniedError
   * @throws CheckpointAliasNotFoundError, SplitModelNotFoundError
   * @throws SplitChangedError the split is not at `if_version`
   */
  async put(author: Principal, modelId: string, alias: string, body: AliasSplitPutDto): Promise<AliasSplitDto> {
    assertSensible(body);
    const model = await this.models.getWritable(author, modelId);
    const named = await this.targets.modelsOf(author, model, targetsOf(body));
    return this.database.transaction(async () => {
      await this.lockAll(named);
      if ((await this.aliases.find(model, alias)) === null) throw new CheckpointAliasNotFoundError(alias);
      const before = await this.splits.find(model, alias);
      const current = before?.version ?? null;
      const { if_version: expected } = body;
      if (expected !== undefined && expected !== current) throw new SplitChangedError(alias, current);
      const draft = await this.draftOf(model, alias, named, body, before);
      if (before !== null && isSame(before, draft)) return toAliasSplit(model.id, before);
      await this.splits.put(model, alias, draft, author.userId);
      const after = (await this.splits.find(model, alias)) as AliasSplit;
      await this.changed(author, model, 'checkpoint_alias.split', { ...detailOf(after), version: after.version });
      return toAliasSplit(model.id, after);
    });
  }

  /** @returns what it was. @throws ModelNotFoundError, AccessDeniedError, SplitNotFoundError */
  async delete(author: Principal, modelId: string, alias: string): Promise<AliasSplitDto> {
    const model = await this.models.getWritable(author, modelId);
    return this.database.transaction(async () => {
      await this.models.lock(model);
      const before = await this.splits.find(model, alias);
      if (before === null) throw new SplitNotFoundError(alias);
      await this.splits.delete(model, alias);
      await this.changed(author, model, 'checkpoint_alias.unsplit', detailOf(before));
      return toAliasSplit(model.id, before);
    });
  }

  /** Their checkpoints and aliases stay while the split is made. In one order, so that two authors never wait for each other. */
  private async lockAll(models: readonly ModelRecord[]): Promise<void> {
    for (const model of [...models].sort((a, b) => (a.id < b.id ? -1 : 1))) await this.models.lock(model);
  }

  private async draftOf(
    model: ModelRecord,
    alias: string,
    models: readonly ModelRecord[],
    { arms, shadow }: AliasSplitPutDto,
    before: AliasSplit | null,
  ): Promise<SplitDraft> {
    const resolve = (target: NamedTarget) => this.targets.resolve(model, alias, models, target);
    const found: SplitDraft['arms'][number][] = [];
    for (const [at, { name, weight, model: asked }] of arms.entries()) {
      found.push({ name, weight, ...(await resolve({ model: asked, loc: locOf(at) })) });
    }
    return {
      arms: found,
      ranges: allocateThreads(before?.ranges ?? [], found),
      shadow: shadow
        ? {
            share: shadow.share,
            maxCostUsdPerDay: shadow.max_cost_usd_per_day ?? null,
            ...(await resolve({ model: shadow.model, loc: LOC_OF_SHADOW })),
          }
        : null,
    };
  }

  private async changed(
    author: Principal,
    model: ModelRecord,
    action: 'checkpoint_alias.split' | 'checkpoint_alias.unsplit',
    detail: Record<string, string | number | null | string[]>,
  ): Promise<void> {
    const projectId = projectIdOf(model);
    await this.audit.addOf(author, projectId, action, { ...detail, model: `${projectId}/${model.name}` }, model.id);
    await this.notifications.announce(model.id, [0]);
  }
}

const LOC_OF_SHADOW = ['shadow', 'model'];
const locOf = (at: number) => ['arms', at, 'model'];

const targetsOf = ({ arms, shadow }: AliasSplitPutDto): NamedTarget[] => [
  ...arms.map(({ model }, at) => ({ model, loc: locOf(at) })),
  ...(shadow ? [{ model: shadow.model, loc: LOC_OF_SHADOW }] : []),
];

/** @throws ValidationError */
function assertSensible({ arms, shadow }: AliasSplitPutDto): void {
  const refuse = (sentence: string, ...loc: (string | number)[]) => {
    throw new ValidationError([valueIssue(sentence, ['body', 'arms', ...loc])]);
  };
  if (arms.length === 0 && !shadow) refuse('A split should have an arm or a shadow');
  const twice = arms.findIndex(({ name }, at) => arms.findIndex((arm) => arm.name === name) < at);
  if (twice >= 0) refuse('Each arm should have a name of its own', twice, 'name');
  if (isTooMuch(arms.map(({ weight }: SplitArmDto) => weight))) refuse('Weights should add up to 1 at most');
}

const detailOf = ({ alias, arms, shadow }: AliasSplit) => ({
  alias,
  arms: arms.map(({ name, model, weight }) => `${name} ${weight} ${model}`),
  shadow: shadow && `${shadow.share} ${shadow.model}`,
});

const isSame = ({ arms, shadow }: AliasSplit, draft: SplitDraft): boolean =>
  isDeepStrictEqual(arms, draft.arms) && isDeepStrictEqual(shadow, draft.shadow);

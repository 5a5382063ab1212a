import { type Principal, ProjectAccess } from '@hone/auth';
import { isObjectId, type ObjectAliasDto, valueIssue } from '@hone/contracts';
import { Database } from '@hone/database';
import { AliasRepository, type AliasWeights, type ObjectKey, ObjectRepository } from '@hone/objects';
import { ValidationError } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { AliasProtectedError, ObjectNotFoundError } from '../objects/object.errors.js';
import { ObjectService } from '../objects/object.service.js';
import { LabelRepository } from './label.repository.js';

/** Which version a request names. */
export interface VersionName {
  projectId: string;
  objectId: string;
  /** Content digest, `v<N>`, `latest` or an alias. */
  selector: string;
}

/** How aliases are set. */
export interface AliasChange {
  /** Selectors of versions -> shares of the prompts that name the alias; null: all get the version that it names. */
  readonly weights: AliasWeights | null;
  /** For owners alone: whether they may move and go from then on; undefined: as they are. */
  readonly isProtected: boolean | undefined;
}

const badWeights = (sentence: string, ...loc: string[]): ValidationError =>
  new ValidationError([valueIssue(sentence, ['body', 'weights', ...loc])]);

/** Tags, of which a version has any number, and aliases, each of which names one version of an object. */
@Injectable()
export class LabelService {
  constructor(
    private readonly labels: LabelRepository,
    private readonly aliases: AliasRepository,
    private readonly objects: ObjectRepository,
    private readonly versions: ObjectService,
    private readonly access: ProjectAccess,
    private readonly database: Database,
  ) {}

  /** @throws AccessDeniedError, ProjectNotFoundError, ObjectNotFoundError, ObjectDeletedError */
  async addTags(caller: Principal, version: VersionName, tags: string[]): Promise<void> {
    await this.change(caller, version, (target, digest) => this.labels.addTags(target, digest, tags, caller.userId));
  }

  /** @throws AccessDeniedError, ProjectNotFoundError, ObjectNotFoundError, ObjectDeletedError */
  async removeTags(caller: Principal, version: VersionName, tags: string[]): Promise<void> {
    await this.change(caller, version, (target, digest) => this.labels.removeTags(target, digest, tags));
  }

  /**
   * Makes aliases name a version, and splits them over versions where there are weights.
   *
   * @throws AccessDeniedError, ProjectNotFoundError, ObjectNotFoundError, ObjectDeletedError
   * @throws ValidationError the weights name a version twice, or not the version
   * @throws AliasProtectedError one of them is set otherwise, and is not to be unprotected
   */
  async setAliases(
    caller: Principal,
    version: VersionName,
    aliases: string[],
    { weights: sent, isProtected }: AliasChange,
  ): Promise<void> {
    const role = isProtected === undefined ? 'writer' : 'owner';
    await this.change(
      caller,
      version,
      async (target, digest) => {
        const weights = sent && (await this.resolved(target, version, digest, sent));
        const movedTo = { digest, weights };
        const held = isProtected !== false && (await this.aliases.findProtected(target, { aliases, movedTo }));
        if (typeof held === 'string') throw new AliasProtectedError(held, target.objectId);
        await this.labels.setAliases(target, movedTo, aliases, caller.userId, isProtected);
        await this.aliases.noteAliases(target, aliases, caller.userId);
      },
      role,
    );
  }

  /**
   * @throws AccessDeniedError, ProjectNotFoundError, ObjectNotFoundError there is no such object
   * @throws AliasProtectedError
   */
  async removeAliases(caller: Principal, projectId: string, objectId: string, aliases: string[]): Promise<void> {
    const projectRowId = await this.access.getReadable(caller, 'trace', projectId, 'writer');
    const target = { projectRowId, objectId };
    await this.locked(projectRowId, projectId, objectId, async () => {
      const held = await this.aliases.findProtected(target, { aliases });
      if (held !== null) throw new AliasProtectedError(held, objectId);
      await this.labels.removeAliases(target, aliases);
      await this.aliases.noteAliases(target, aliases, caller.userId);
    });
  }

  /** The digests of the versions that the weights name -> their shares. @throws as {@link setAliases} */
  private async resolved(
    { projectRowId, objectId }: ObjectKey,
    { projectId }: VersionName,
    named: string,
    sent: AliasWeights,
  ): Promise<AliasWeights> {
    const weights = new Map<string, number>();
    for (const [selector, share] of Object.entries(sent)) {
      const { digest } = await this.versions.getLive(projectRowId, projectId, objectId, selector);
      if (weights.has(digest)) throw badWeights('Each version has one weight', selector);
      weights.set(digest, share);
    }
    if (!weights.has(named)) throw badWeights(`Weights should have the version of 'digest'`);
    return Object.fromEntries(weights);
  }

  /** @returns none when there is no such object @throws AccessDeniedError, ProjectNotFoundError */
  async listOfObject(caller: Principal, projectId: string, objectId: string): Promise<ObjectAliasDto[]> {
    const projectRowId = await this.access.getReadable(caller, 'trace', projectId);
    return isObjectId(objectId) ? this.labels.listOfObject({ projectRowId, objectId }) : [];
  }

  /** @returns none when there is no such project @throws AccessDeniedError */
  async list(caller: Principal, projectId: string, kind: 'tag' | 'alias'): Promise<string[]> {
    const projectRowId = await this.access.findReadable(caller, 'trace', projectId);
    return projectRowId === null ? [] : this.labels.list(projectRowId, kind);
  }

  /** Changes the labels of one live version. */
  private async change(
    caller: Principal,
    { projectId, objectId, selector }: VersionName,
    change: (target: { projectRowId: string; objectId: string }, digest: string) => Promise<void>,
    role: 'writer' | 'owner' = 'writer',
  ): Promise<void> {
    const projectRowId = await this.access.getReadable(caller, 'trace', projectId, role);
    await this.locked(projectRowId, projectId, objectId, async () => {
      const { digest } = await this.versions.getLive(projectRowId, projectId, objectId, selector);
      await change({ projectRowId, objectId }, digest);
    });
  }

  /** Does the work while nobody else changes the object. */
  private async locked(
    projectRowId: string,
    projectId: string,
    objectId: string,
    work: () => Promise<void>,
  ): Promise<void> {
    if (!isObjectId(objectId)) throw ObjectNotFoundError.noVersions(objectId, projectId);
    await this.database.transaction(async () => {
      if (!(await this.objects.lockExistingHead(projectRowId, objectId)))
        throw ObjectNotFoundError.noVersions(objectId, projectId);
      await work();
    });
  }
}

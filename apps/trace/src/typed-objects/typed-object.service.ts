import type { Readable } from 'node:stream';

import { type Principal, ProjectAccess } from '@hone/auth';
import { FileRepository, ValueRepository } from '@hone/calls';
import {
  isObjectId,
  parseVersionSelector,
  RawJson,
  stringifyJson,
  type TypedObjectListQueryDto,
  type VersionsDeleteResultDto,
} from '@hone/contracts';
import { isMeant, ObjectRepository } from '@hone/objects';
import { BodyThreads } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { ObjectDeletedError } from '../objects/object.errors.js';
import { ObjectService, type TypedVersion } from '../objects/object.service.js';
import { ObjectDeletionService } from '../objects/object-deletion.service.js';
import { type LatestVersion, ObjectQueryRepository } from '../objects/object-query.repository.js';
import type { SentVersion } from './sent-version.js';
import type { ReadTask } from './stored-version.js';
import type { TypedKind } from './typed-kind.js';

/** Which version of which object a caller asks for. */
export interface VersionAddress {
  projectId: string;
  objectId: string;
  /** Content digest, `v<N>`, `latest` or an alias. */
  selector: string;
}

/** A kind, and the task that reads its stored values. */
export interface KindReading {
  readonly kind: TypedKind;
  readonly task: ReadTask;
}

/** Objects of a known class, each kind of which has endpoints of its own. */
@Injectable()
export class TypedObjectService {
  constructor(
    private readonly objectService: ObjectService,
    private readonly deletion: ObjectDeletionService,
    private readonly objects: ObjectRepository,
    private readonly queries: ObjectQueryRepository,
    private readonly files: FileRepository,
    private readonly values: ValueRepository,
    private readonly access: ProjectAccess,
    private readonly threads: BodyThreads,
  ) {}

  /**
   * Stores a version and what it names.
   *
   * @param storeParts stores what else the value names, in the same transaction
   * @throws AccessDeniedError, TypeCollisionError
   */
  async create(
    author: Principal,
    projectId: string,
    { objectId, content, sourceCode }: SentVersion,
    storeParts?: (projectRowId: string) => Promise<unknown>,
  ): Promise<TypedVersion> {
    return this.objectService.createTyped(author, projectId, objectId, content, async (projectRowId) => {
      if (sourceCode !== undefined) await this.files.put(projectRowId, Buffer.from(sourceCode));
      await storeParts?.(projectRowId);
    });
  }

  /** @throws AccessDeniedError, ProjectNotFoundError, ObjectDeletedError, and the kind's own error */
  async get(
    reading: KindReading,
    caller: Principal,
    { projectId, objectId, selector }: VersionAddress,
  ): Promise<RawJson> {
    const { kind } = reading;
    const projectRowId = await this.access.getReadable(caller, 'trace', projectId);
    const version = isObjectId(objectId)
      ? await this.objects.findVersion(projectRowId, objectId, parseVersionSelector(selector))
      : null;
    if (!version || !isMeant(version, kind.only)) {
      throw new kind.notFound(`'${objectId}' in '${projectId}' has no ${kind.noun} version '${selector}'.`);
    }
    if (version.deletedAt) throw new ObjectDeletedError(objectId, version.digest, version.deletedAt);
    return new RawJson(await this.read(reading, projectRowId, version));
  }

  /**
   * The latest versions of a project's objects, the first made first, one on each line.
   *
   * @returns none when there is no such project
   * @throws AccessDeniedError
   */
  async list(
    reading: KindReading,
    caller: Principal,
    projectId: string,
    { limit, offset }: TypedObjectListQueryDto,
  ): Promise<RawJson | Readable> {
    const projectRowId = await this.access.findReadable(caller, 'trace', projectId);
    if (projectRowId === null) return new RawJson('');
    return this.queries.listLatest(projectRowId, reading.kind.only, { limit, offset }, (version) =>
      this.read(reading, projectRowId, version),
    );
  }

  /**
   * Deletes all live versions, or those that the selectors name: all of them, or none when one names nothing.
   *
   * @param selectors undefined: all versions
   * @throws AccessDeniedError, ProjectNotFoundError, and the kind's own error
   */
  async delete(
    { noun, only, notFound }: TypedKind,
    caller: Principal,
    { projectId, objectId }: Omit<VersionAddress, 'selector'>,
    selectors: string[] | undefined,
  ): Promise<VersionsDeleteResultDto> {
    const has = `'${objectId}' in '${projectId}' has no ${noun}`;
    const deleted = await this.deletion.delete(caller, projectId, objectId, selectors, {
      only,
      noVersions: () => new notFound(`${has} versions.`),
      noVersion: (selector) => new notFound(`${has} version '${selector}'.`),
    });
    return { num_deleted: deleted.length };
  }

  /** @returns the JSON of the version */
  private async read(
    { kind: { sourceField }, task }: KindReading,
    projectRowId: string,
    { objectId, digest, versionIndex, createdAt, val }: LatestVersion,
  ): Promise<string> {
    const text = (await this.values.get(projectRowId, val)) as string;
    const { name, description, sourceDigest, fields } = await this.threads.runUnlessLight(task, text, text.length);
    const head = stringifyJson({
      object_id: objectId,
      digest,
      version_index: versionIndex,
      created_at: createdAt.toISOString(),
      name: name ?? objectId,
      description,
      ...(sourceField && { [sourceField]: await this.sourceCode(projectRowId, sourceDigest) }),
    });
    return fields === '{}' ? head : `${head.slice(0, -1)},${fields.slice(1)}`;
  }

  private async sourceCode(projectRowId: string, digest: string | undefined): Promise<string> {
    const file = digest === undefined ? null : await this.files.find(projectRowId, digest);
    return file?.toString('utf8') ?? '';
  }
}

import { type Principal, ProjectAccess } from '@hone/auth';
import {
  type ObjectCreateResultDto,
  type ObjectDeleteDto,
  type ObjectDeleteResultDto,
  type ObjectQueryDto,
  type ObjectReadDto,
  parseDateTime,
  parseVersionSelector,
} from '@hone/contracts';
import { Database } from '@hone/database';
import {
  AliasRepository,
  type CreatedVersion,
  type ObjectKey,
  ObjectRepository,
  ObjectStore,
  type ObjectVersionDraft,
  type ObjectVersionRecord,
} from '@hone/objects';
import { type ObjectContent, versionRef } from '@hone/objects/content';
import { RefScheme } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { Cursors, noNextCursor } from '../cursors/cursors.js';
import { noRows, type RowsAnswer } from '../streams/rows-answer.js';
import { DigestMismatchError, ObjectDeletedError, ObjectNotFoundError, TypeCollisionError } from './object.errors.js';
import type { SentObject } from './object-body.task.js';
import { ObjectDeletionService } from './object-deletion.service.js';
import { ObjectQueryRepository } from './object-query.repository.js';

/** What the creation of a typed object answers, and its ref, whose name differs by kind. */
export interface TypedVersion {
  version: { digest: string; object_id: string; version_index: number };
  ref: string;
}

@Injectable()
export class ObjectService {
  constructor(
    private readonly objects: ObjectRepository,
    private readonly store: ObjectStore,
    private readonly aliases: AliasRepository,
    private readonly queries: ObjectQueryRepository,
    private readonly deletion: ObjectDeletionService,
    private readonly access: ProjectAccess,
    private readonly database: Database,
    private readonly refScheme: RefScheme,
    private readonly cursors: Cursors,
  ) {}

  /**
   * Stores a version. A live version of the same content becomes the latest; a deleted one comes back as a new version.
   *
   * @throws AccessDeniedError
   * @throws DigestMismatchError the value's digest is not `expected_digest`
   * @throws TypeCollisionError a live version of the same kind has another class
   */
  async create(
    author: Principal,
    { projectId, objectId, expectedDigest, content }: SentObject,
  ): Promise<ObjectCreateResultDto> {
    const grant = await this.access.grantWrite(author, 'trace', projectId, 'writer');
    const { digest } = content;
    if ((expectedDigest ?? digest) !== digest) throw new DigestMismatchError(expectedDigest as string, digest);
    await this.database.transaction(async () =>
      this.createVersion(await this.access.rowIdFor(author, grant), {
        objectId,
        svcUserId: author.userId,
        ...content,
      }),
    );
    return { digest, object_id: objectId };
  }

  /**
   * Stores a version of a typed object.
   *
   * @param storeParts stores what the value names, for example a file, in the same transaction
   * @throws AccessDeniedError, TypeCollisionError
   */
  async createTyped(
    author: Principal,
    projectId: string,
    objectId: string,
    content: ObjectContent,
    storeParts?: (projectRowId: string) => Promise<unknown>,
  ): Promise<TypedVersion> {
    const grant = await this.access.grantWrite(author, 'trace', projectId, 'writer');
    const draft = { objectId, svcUserId: author.userId, ...content };
    const { digest, versionIndex } = await this.database.transaction(async () => {
      const projectRowId = await this.access.rowIdFor(author, grant);
      await storeParts?.(projectRowId);
      return this.createVersion(projectRowId, draft);
    });
    const ref = versionRef(this.refScheme.name, projectId, draft);
    return { version: { digest, object_id: objectId, version_index: versionIndex }, ref };
  }

  private async createVersion(projectRowId: string, draft: ObjectVersionDraft): Promise<CreatedVersion> {
    const stored = await this.store.create(projectRowId, draft);
    if (!('otherClass' in stored)) return stored;
    throw new TypeCollisionError(draft.objectId, draft.kind, stored.otherClass, draft.baseObjectClass);
  }

  /** @throws AccessDeniedError; ValidationError a cursor that is none of this query */
  async query(caller: Principal, query: ObjectQueryDto, asLines: boolean): Promise<RowsAnswer> {
    const { project_id, filter, sort_by } = query;
    const page = await this.cursors.open(query, 'objs/query', { project_id, filter, sort_by }, asLines);
    const projectRowId = await this.access.findReadable(caller, 'trace', project_id);
    if (projectRowId === null) return noRows(`{"objs":[]${noNextCursor(page)}}`, asLines);
    return this.queries.query(projectRowId, query, page, asLines);
  }

  /**
   * One live version.
   *
   * @throws AccessDeniedError, ProjectNotFoundError, ObjectNotFoundError, ObjectDeletedError
   */
  async read(caller: Principal, body: ObjectReadDto): Promise<Record<string, unknown>> {
    const { project_id, object_id, digest: selector } = body;
    const projectRowId = await this.access.getReadable(caller, 'trace', project_id);
    const { digest } = await this.getLive(projectRowId, project_id, object_id, selector, toTime(body.as_of));
    // Between the two reads somebody may have deleted it.
    const version = await this.queries.find(projectRowId, { ...body, digest });
    return version ?? this.read(caller, body);
  }

  /**
   * The live version that a selector names.
   *
   * @param at what an alias or `latest` named then; undefined: what it names now
   * @throws ObjectNotFoundError, ObjectDeletedError
   */
  async getLive(
    projectRowId: string,
    projectId: string,
    objectId: string,
    selector: string,
    at?: Date,
  ): Promise<ObjectVersionRecord> {
    const version = await this.find({ projectRowId, objectId }, selector, at);
    if (!version) throw ObjectNotFoundError.noVersion(objectId, projectId, selector);
    if (version.deletedAt) throw new ObjectDeletedError(objectId, version.digest, version.deletedAt);
    return version;
  }

  private async find(object: ObjectKey, selector: string, at: Date | undefined): Promise<ObjectVersionRecord | null> {
    const { projectRowId, objectId } = object;
    const now = parseVersionSelector(selector);
    if (!at || now.by === 'digest' || now.by === 'index') return this.objects.findVersion(projectRowId, objectId, now);
    const digest = await this.aliases.findDigestAt(object, selector, at);
    return digest === null ? null : this.objects.findVersion(projectRowId, objectId, { by: 'digest', digest });
  }

  /**
   * Deletes versions of an object.
   *
   * @throws AccessDeniedError, ProjectNotFoundError, ObjectNotFoundError
   */
  async delete(caller: Principal, { project_id, object_id, digests }: ObjectDeleteDto): Promise<ObjectDeleteResultDto> {
    const deleted = await this.deletion.delete(caller, project_id, object_id, digests ?? undefined, {
      noVersions: () => ObjectNotFoundError.noVersions(object_id, project_id),
      noVersion: (selector) => ObjectNotFoundError.noVersion(object_id, project_id, selector),
    });
    const deleted_versions = deleted.map(({ digest, baseObjectClass, leafObjectClass }) => ({
      digest,
      base_object_class: baseObjectClass,
      leaf_object_class: leafObjectClass,
    }));
    return { num_deleted: deleted.length, deleted_versions };
  }
}

const toTime = (text: string | null | undefined): Date | undefined => (text ? parseDateTime(text) : undefined);

import { Injectable } from '@nestjs/common';
import {
  bytesDigest,
  canonicalText,
  contentDigest,
  type Issue,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ObjectDeleteDto,
  type ObjectDeleteResultDto,
  type ObjectDraftDto,
  type ObjectQueryDto,
  type ObjectReadDto,
  parseDateTime,
  parseVersionSelector,
  stringifyJson,
  valueIssue,
} from '@hone/contracts';
import { Database } from '@hone/database';
import { type Principal, ProjectAccess } from '@hone/auth';
import { RefScheme, ValidationError } from '@hone/platform';

import { Cursors, noNextCursor } from '../cursors/cursors.js';
import { noRows, type RowsAnswer } from '../streams/rows-answer.js';
import { objectClassOf } from './object-class.js';
import { DigestMismatchError, ObjectDeletedError, ObjectNotFoundError, TypeCollisionError } from './object.errors.js';
import { ObjectDeletionService } from './object-deletion.service.js';
import { ObjectQueryRepository } from './object-query.repository.js';
import type { ObjectVersionDraft, ObjectVersionRecord } from './object.record.js';
import { AliasRepository, type ObjectKey } from './alias.repository.js';
import { ObjectRepository } from './object.repository.js';
import { internalRefIssues } from './internal-refs.js';
import { versionRef } from './typed-object.js';

/** What the server fills into an `AnnotationSpec`. */
const ANNOTATION_SPEC = {
  _type: 'AnnotationSpec',
  _class_name: 'AnnotationSpec',
  _bases: ['BaseObject', 'BaseModel'],
  name: null,
  description: null,
  field_schema: {},
  unique_among_creators: false,
  op_scope: null,
};

interface CreatedVersion {
  digest: string;
  versionIndex: number;
}

/** What the creation of a typed object answers, and its ref, whose name differs by kind. */
export interface TypedVersion {
  version: { digest: string; object_id: string; version_index: number };
  ref: string;
}

@Injectable()
export class ObjectService {
  constructor(
    private readonly objects: ObjectRepository,
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
   * @throws ValidationError the value does not fit `builtin_object_class`, or contains internal refs
   * @throws AccessDeniedError
   * @throws DigestMismatchError the value's digest is not `expected_digest`
   * @throws TypeCollisionError a live version of the same kind has another class
   */
  async create(author: Principal, body: ObjectDraftDto): Promise<{ digest: string; object_id: string }> {
    const val = completedVal(body);
    const grant = await this.access.grantWrite(author, 'trace', body.project_id, 'writer');
    const draft = this.#toDraft(author, body.object_id, val);
    const expected = body.expected_digest ?? draft.digest;
    if (expected !== draft.digest) throw new DigestMismatchError(expected, draft.digest);
    const { digest } = await this.database.transaction(async () =>
      this.#createVersion(await this.access.rowIdFor(author, grant), draft),
    );
    return { digest, object_id: body.object_id };
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
    val: JsonObject,
    storeParts?: (projectRowId: string) => Promise<unknown>,
  ): Promise<TypedVersion> {
    const grant = await this.access.grantWrite(author, 'trace', projectId, 'writer');
    const draft = this.#toDraft(author, objectId, val);
    const { digest, versionIndex } = await this.database.transaction(async () => {
      const projectRowId = await this.access.rowIdFor(author, grant);
      await storeParts?.(projectRowId);
      return this.#createVersion(projectRowId, draft);
    });
    const ref = versionRef(this.refScheme.name, projectId, draft);
    return { version: { digest, object_id: objectId, version_index: versionIndex }, ref };
  }

  async #createVersion(projectRowId: string, draft: ObjectVersionDraft): Promise<CreatedVersion> {
    const { objectId } = draft;
    const { nextVersionIndex } = await this.objects.lockHead(projectRowId, objectId);
    const other = await this.objects.findOtherClass(projectRowId, draft);
    if (other !== undefined) throw new TypeCollisionError(objectId, draft.kind, other, draft.baseObjectClass);
    const known = await this.objects.findVersion(projectRowId, objectId, { by: 'digest', digest: draft.digest });
    const isLive = known !== null && known.deletedAt === null;
    const now = new Date();
    if (!isLive) await this.objects.put(projectRowId, draft, nextVersionIndex, now);
    await this.objects.setLatest(projectRowId, objectId, draft.digest);
    await this.aliases.noteLatest({ projectRowId, objectId }, now, draft.svcUserId);
    return { digest: draft.digest, versionIndex: isLive ? known.versionIndex : nextVersionIndex };
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
    const version = await this.#find({ projectRowId, objectId }, selector, at);
    if (!version) throw ObjectNotFoundError.noVersion(objectId, projectId, selector);
    if (version.deletedAt) throw new ObjectDeletedError(objectId, version.digest, version.deletedAt);
    return version;
  }

  async #find(object: ObjectKey, selector: string, at: Date | undefined): Promise<ObjectVersionRecord | null> {
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

  #toDraft(author: Principal, objectId: string, val: JsonValue): ObjectVersionDraft {
    const text = canonicalText(val);
    // Refs are hashed in another form than they are counted in; without one, both texts are the same.
    const hasRefs = text.includes(`"${this.refScheme.name}:///`);
    return {
      objectId,
      digest: hasRefs ? contentDigest(val, this.refScheme.name) : bytesDigest(text),
      ...objectClassOf(val),
      svcUserId: author.userId,
      valText: stringifyJson(val),
      sizeBytes: text.length, // ASCII
    };
  }
}

const toTime = (text: string | null | undefined): Date | undefined => (text ? parseDateTime(text) : undefined);

/** The value with the keys of its builtin class. */
function completedVal({ val, builtin_object_class, object_id }: ObjectDraftDto): JsonValue {
  const issues: Issue[] = internalRefIssues(val as JsonValue, ['body', 'obj', 'val']);
  if (builtin_object_class && !isJsonObject(val))
    issues.push(valueIssue(`An ${builtin_object_class} should be an object`, ['body', 'obj', 'val']));
  if (issues.length) throw new ValidationError(issues);
  if (!builtin_object_class) return val as JsonValue;
  return { ...ANNOTATION_SPEC, name: object_id, ...(val as JsonObject), ...classKeysOf(ANNOTATION_SPEC) };
}

const classKeysOf = ({ _type, _class_name, _bases }: typeof ANNOTATION_SPEC) => ({ _type, _class_name, _bases });

import { Injectable } from '@nestjs/common';
import {
  bytesDigest,
  isObjectId,
  type JsonValue,
  type ModelCreateDto,
  type ModelCreateResultDto,
  parseJson,
  parseVersionSelector,
  RESERVED_MODEL_KEYS,
  valueIssue,
} from '@hone/contracts';
import { type Principal, ProjectAccess } from '@hone/auth';
import { HeavyWork, ValidationError } from '@hone/platform';

import { ObjectDeletedError } from '../objects/object.errors.js';
import { internalRefIssues } from '../objects/internal-refs.js';
import { ObjectRepository } from '../objects/object.repository.js';
import { ObjectService } from '../objects/object.service.js';
import { objectIdOf } from '../objects/typed-object.js';
import { FileRepository } from '../values/file.repository.js';
import { ValueRepository } from '../values/value.repository.js';
import { ModelNotFoundError } from './model.errors.js';
import {
  MODEL_CLASS,
  type ModelVersion,
  sourceDigestOf,
  toModelVal,
  toModelVersion,
} from './model.mapper.js';

@Injectable()
export class ModelService {
  constructor(
    private readonly objectService: ObjectService,
    private readonly objects: ObjectRepository,
    private readonly files: FileRepository,
    private readonly values: ValueRepository,
    private readonly access: ProjectAccess,
    private readonly heavy: HeavyWork,
  ) {}

  /**
   * Stores a version of a model, its source code as a file.
   *
   * @throws ValidationError the name gives no object id, or an attribute has a reserved key
   * @throws AccessDeniedError, TypeCollisionError
   */
  async create(author: Principal, projectId: string, body: ModelCreateDto): Promise<ModelCreateResultDto> {
    const objectId = objectIdOf(body.name, 'model');
    assertFreeKeys(body.attributes ?? {});
    const source = Buffer.from(body.source_code);
    const val = toModelVal(body, bytesDigest(source));
    const storeSource = (projectRowId: string) => this.files.put(projectRowId, source);
    const { version, ref } = await this.objectService.createTyped(author, projectId, objectId, val, storeSource);
    return { ...version, model_ref: ref };
  }

  /**
   * @param selector content digest, `v<N>`, `latest` or an alias
   * @throws AccessDeniedError, ProjectNotFoundError, ModelNotFoundError, ObjectDeletedError
   */
  async getVersion(caller: Principal, projectId: string, objectId: string, selector: string): Promise<ModelVersion> {
    const projectRowId = await this.access.getReadable(caller, 'trace', projectId);
    const version = isObjectId(objectId)
      ? await this.objects.findVersion(projectRowId, objectId, parseVersionSelector(selector))
      : null;
    if (!version || version.kind !== 'object' || version.baseObjectClass !== MODEL_CLASS) {
      throw new ModelNotFoundError(objectId, projectId, selector);
    }
    if (version.deletedAt) throw new ObjectDeletedError(objectId, version.digest, version.deletedAt);
    this.heavy.passOnIf(version.val.blob !== null);
    const val = parseJson((await this.values.get(projectRowId, version.val)) as string);
    return toModelVersion(version, val, await this.#sourceCode(projectRowId, val));
  }

  async #sourceCode(projectRowId: string, val: JsonValue): Promise<string> {
    const digest = sourceDigestOf(val);
    const file = digest === undefined ? null : await this.files.find(projectRowId, digest);
    return file?.toString('utf8') ?? '';
  }
}

function assertFreeKeys(attributes: Record<string, unknown>): void {
  const issues = Object.keys(attributes).flatMap((key) =>
    RESERVED_MODEL_KEYS.includes(key)
      ? [valueIssue('This key is reserved', ['body', 'attributes', key])]
      : internalRefIssues(attributes[key] as JsonValue, ['body', 'attributes', key]),
  );
  if (issues.length) throw new ValidationError(issues);
}

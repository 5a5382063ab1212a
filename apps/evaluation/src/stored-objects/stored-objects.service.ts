import { isJsonObject, isObjectId, type JsonObject, parseJson, parseRef, parseVersionSelector } from '@hone/contracts';
import { ObjectVersionsRepository } from '@hone/objects';
import { versionRef } from '@hone/objects/content';
import { RefScheme } from '@hone/platform';
import { Injectable } from '@nestjs/common';

const REF_START = ':///';

/** A version of an object, by what never changes. */
export interface VersionKey {
  readonly objectId: string;
  readonly digest: string;
}

/** A version with its value. */
export interface StoredObject extends VersionKey {
  readonly ref: string;
  readonly value: JsonObject;
}

/** Where an object is looked for. */
export interface ObjectsProject {
  /** `<entity>/<project>`. */
  readonly id: string;
  readonly rowId: string;
}

/** Objects, which the trace service stores. */
@Injectable()
export class StoredObjects {
  constructor(
    private readonly objects: ObjectVersionsRepository,
    private readonly scheme: RefScheme,
  ) {}

  /**
   * @param name a ref, an object's id for its newest version, or `<id>:<version>`
   * @returns null: the project has no such object, or its value is none
   */
  async find(project: ObjectsProject, name: string): Promise<StoredObject | null> {
    const named = parseName(project, name);
    if (named === null) return null;
    const found = await this.objects.find(project.rowId, named.objectId, parseVersionSelector(named.version));
    const digest = found?.[0]?.digest;
    return digest === undefined ? null : this.read(project, { objectId: named.objectId, digest });
  }

  /** Null: it is gone, or its value is no object. */
  async read(project: ObjectsProject, { objectId, digest }: VersionKey): Promise<StoredObject | null> {
    const text = await this.objects.read(project.rowId, objectId, digest);
    const value = text === null ? null : parseJson(text);
    return isJsonObject(value) ? { objectId, digest, value, ref: this.refOf(project, { objectId, digest }) } : null;
  }

  /** The ref of a version. */
  refOf = (project: Pick<ObjectsProject, 'id'>, version: VersionKey): string =>
    versionRef(this.scheme.name, project.id, { kind: 'object', ...version });
}

/** Whether a value is of a class, or one made of it. */
export function isOfClass(value: JsonObject, name: string): boolean {
  const bases = value['_bases'];
  return value['_class_name'] === name || (Array.isArray(bases) && bases.includes(name));
}

function parseName(project: ObjectsProject, name: string): { objectId: string; version: string } | null {
  const ref = name.includes(REF_START) ? parseRef(name) : null;
  if (ref) {
    const isHere = ref.kind === 'object' && ref.projectId === project.id;
    return isHere ? { objectId: ref.name, version: ref.digest } : null;
  }
  const [objectId = '', version = 'latest'] = name.split(':');
  return isObjectId(objectId) ? { objectId, version } : null;
}

import {
  check,
  definitionIssues,
  isJsonObject,
  isObjectId,
  type JsonValue,
  parseJson,
  parseRef,
  parseVersionSelector,
  ScorerDefinitionDto,
} from '@hone/contracts';
import { ObjectVersionsRepository } from '@hone/objects';
import { RefScheme } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { ScorerNotDefinedError, ScorerNotFoundError } from './scorers.errors.js';

const REF_START = ':///';
const SCORER_CLASS = 'Scorer';

/** A version of a scorer that Hone can run. */
export interface Scorer {
  readonly objectId: string;
  readonly digest: string;
  readonly definition: ScorerDefinitionDto;
  /** Of the version. */
  readonly ref: string;
}

/** Where a scorer is looked for. */
export interface ScorerProject {
  /** `<entity>/<project>`. */
  readonly id: string;
  readonly rowId: string;
}

/** Reads scorers, which the trace service stores as objects. */
@Injectable()
export class ScorerReader {
  constructor(
    private readonly objects: ObjectVersionsRepository,
    private readonly scheme: RefScheme,
  ) {}

  /**
   * @param name a ref, an object's id for its newest version, or `<id>:<version>`
   * @throws ScorerNotFoundError, ScorerNotDefinedError
   */
  async find(project: ScorerProject, name: string): Promise<Scorer> {
    const { objectId, version } = this.parse(project, name);
    const found = await this.objects.find(project.rowId, objectId, parseVersionSelector(version));
    const digest = found?.[0]?.digest;
    if (digest === undefined) throw new ScorerNotFoundError(name);
    return this.read(project, objectId, digest);
  }

  /** @throws ScorerNotFoundError, ScorerNotDefinedError */
  async read(project: ScorerProject, objectId: string, digest: string): Promise<Scorer> {
    const name = `${objectId}:${digest}`;
    const text = await this.objects.read(project.rowId, objectId, digest);
    const value = text === null ? null : parseJson(text);
    if (!isScorer(value)) throw new ScorerNotFoundError(name);
    const { value: definition } = check(ScorerDefinitionDto, value['definition'], []);
    if (!definition || definitionIssues(definition).length > 0) throw new ScorerNotDefinedError(name);
    return { objectId, digest, definition, ref: `${this.scheme.name}${REF_START}${project.id}/object/${name}` };
  }

  private parse(project: ScorerProject, name: string): { objectId: string; version: string } {
    const ref = name.includes(REF_START) ? parseRef(name) : null;
    if (ref) {
      if (ref.kind !== 'object' || ref.projectId !== project.id) throw new ScorerNotFoundError(name);
      return { objectId: ref.name, version: ref.digest };
    }
    const [objectId = '', version = 'latest'] = name.split(':');
    if (!isObjectId(objectId)) throw new ScorerNotFoundError(name);
    return { objectId, version };
  }
}

function isScorer(value: JsonValue): value is Record<string, JsonValue> & JsonValue {
  if (!isJsonObject(value)) return false;
  const bases = value['_bases'];
  return value['_class_name'] === SCORER_CLASS || (Array.isArray(bases) && bases.includes(SCORER_CLASS));
}

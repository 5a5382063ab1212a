import { check, definitionIssues, ScorerDefinitionDto } from '@hone/contracts';
import { leastRecentlyUsed } from '@hone/database';
import { Injectable } from '@nestjs/common';

import {
  isOfClass,
  type ObjectsProject,
  type StoredObject,
  StoredObjects,
  type VersionKey,
} from '../stored-objects/stored-objects.service.js';
import { ScorerNotDefinedError, ScorerNotFoundError } from './scorers.errors.js';

const SCORER_CLASS = 'Scorer';
const MAX_KNOWN = 200;

/** A version of a scorer that Hone can run. */
export interface Scorer extends VersionKey {
  readonly definition: ScorerDefinitionDto;
  /** Of the version. */
  readonly ref: string;
}

/** Reads scorers, which the trace service stores as objects. */
@Injectable()
export class ScorerReader {
  private readonly known = leastRecentlyUsed<Scorer>({ max: MAX_KNOWN });

  constructor(private readonly objects: StoredObjects) {}

  /**
   * @param name a ref, an object's id for its newest version, or `<id>:<version>`
   * @throws ScorerNotFoundError, ScorerNotDefinedError
   */
  async find(project: ObjectsProject, name: string): Promise<Scorer> {
    return toScorer(await this.objects.find(project, name), name);
  }

  /** @throws ScorerNotFoundError, ScorerNotDefinedError */
  async read(project: ObjectsProject, version: VersionKey): Promise<Scorer> {
    return toScorer(await this.objects.read(project, version), `${version.objectId}:${version.digest}`);
  }

  /** The same for work that goes on with a version that may have been deleted meanwhile. */
  async readKnown(project: ObjectsProject, version: VersionKey): Promise<Scorer> {
    const key = `${project.rowId} ${version.objectId} ${version.digest}`;
    const known = this.known.get(key);
    if (known) return known;
    const scorer = await this.read(project, version);
    this.known.set(key, scorer);
    return scorer;
  }
}

function toScorer(stored: StoredObject | null, name: string): Scorer {
  if (stored === null || !isOfClass(stored.value, SCORER_CLASS)) throw new ScorerNotFoundError(name);
  const { objectId, digest, ref, value } = stored;
  const { value: definition } = check(ScorerDefinitionDto, value['definition'], []);
  if (!definition || definitionIssues(definition).length > 0) throw new ScorerNotDefinedError(name);
  return { objectId, digest, definition, ref };
}

import { check, definitionIssues, ownRef, parseRef, ScorerDefinitionDto } from '@hone/contracts';
import { leastRecentlyUsed } from '@hone/database';
import { RefScheme } from '@hone/platform';
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

/** A version of a scorer, whoever runs it. */
export interface AnyScorer extends Omit<Scorer, 'definition'> {
  /** Null: a client runs its source code, or another tool judged. */
  readonly definition: ScorerDefinitionDto | null;
}

/** Reads scorers, which the trace service stores as objects. */
@Injectable()
export class ScorerReader {
  private readonly known = leastRecentlyUsed<Scorer>({ max: MAX_KNOWN });

  constructor(
    private readonly objects: StoredObjects,
    private readonly scheme: RefScheme,
  ) {}

  /**
   * @param name a ref, an object's id for its newest version, or `<id>:<version>`
   * @throws ScorerNotFoundError, ScorerNotDefinedError
   */
  async find(project: ObjectsProject, name: string): Promise<Scorer> {
    return toScorer(await this.objects.find(project, name), name);
  }

  /**
   * The same, also where a client runs it. Functions that SDKs apply as scorers, and scorers of other tools, are refs of ops:
   * nothing is read of them.
   *
   * @throws ScorerNotFoundError
   */
  async findAny(project: ObjectsProject, name: string): Promise<AnyScorer> {
    const op = name.includes(':///') ? parseRef(name) : undefined;
    if (op?.kind === 'op' && op.projectId === project.id)
      return { objectId: op.name, digest: op.digest, definition: null, ref: ownRef(name, this.scheme.name) };
    const stored = scorerObject(await this.objects.find(project, name), name);
    const { objectId, digest, ref } = stored;
    return { objectId, digest, ref, definition: definitionOf(stored) };
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
  const found = scorerObject(stored, name);
  const { objectId, digest, ref } = found;
  const definition = definitionOf(found);
  if (!definition) throw new ScorerNotDefinedError(name);
  return { objectId, digest, definition, ref };
}

function scorerObject(stored: StoredObject | null, name: string): StoredObject {
  if (stored === null || !isOfClass(stored.value, SCORER_CLASS)) throw new ScorerNotFoundError(name);
  return stored;
}

/** Null: it has none, or none that Hone can run. */
function definitionOf({ value }: StoredObject): ScorerDefinitionDto | null {
  const { value: definition } = check(ScorerDefinitionDto, value['definition'], []);
  return definition && definitionIssues(definition).length === 0 ? definition : null;
}

import { Readable } from 'node:stream';

import { type Principal, ProjectAccess } from '@hone/auth';
import { ValueRepository } from '@hone/calls';
import { type ObjectRef, parseRef, parseTableRef, parseVersionSelector, type RefStep, refSteps } from '@hone/contracts';
import { ObjectRepository, type ObjectVersionRecord } from '@hone/objects';
import { BodyThreads } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { ObjectNotFoundError } from '../objects/object.errors.js';
import { TableRepository } from '../tables/table.repository.js';
import { type Reached, TASK as STEPS } from './ref-steps.task.js';

/** Refs in values that one ref is followed through: values can name each other in a circle. */
const MAX_HOPS = 10;

/** A version that a ref names, and where in its value to go. */
interface Target {
  /** Null: it was deleted. */
  version: ObjectVersionRecord | null;
  steps: RefStep[];
}

/** Reads values by refs. */
@Injectable()
export class RefReaderService {
  constructor(
    private readonly objects: ObjectRepository,
    private readonly tables: TableRepository,
    private readonly values: ValueRepository,
    private readonly access: ProjectAccess,
    private readonly threads: BodyThreads,
  ) {}

  /**
   * The values in the order of the refs, as one JSON text that is read from the database as the client takes it. Null
   * for deleted versions, and where the steps lead nowhere.
   *
   * @throws AccessDeniedError an entity may not be read
   * @throws ObjectNotFoundError a version was never stored
   */
  async read(caller: Principal, refs: string[]): Promise<Readable> {
    const targets: Target[] = [];
    // Refs to parts of one value, such as the rows of a dataset, come together.
    const found = new Map<string, ObjectVersionRecord | null>();
    for (const text of refs) {
      const ref = parseRef(text) as ObjectRef;
      const key = `${ref.projectId}/${ref.name}:${ref.digest}`;
      if (!found.has(key)) {
        const projectRowId = await this.access.findReadable(caller, 'trace', ref.projectId);
        found.set(key, projectRowId === null ? null : await this.find(projectRowId, ref));
      }
      const version = found.get(key);
      if (!version) throw ObjectNotFoundError.noVersion(ref.name, ref.projectId, ref.digest);
      targets.push({ version: version.deletedAt ? null : version, steps: refSteps(text) });
    }
    return Readable.from(this.texts(caller, targets), { objectMode: false });
  }

  private async *texts(caller: Principal, targets: Target[]): AsyncGenerator<string> {
    let separator = '{"vals":[';
    for (let at = 0; at < targets.length;) {
      const { version } = targets[at] as Target;
      const paths = pathsInto(version, targets, at);
      if (paths.length === 0) yield separator + (version ? await this.textOf(version) : 'null');
      else
        for await (const text of this.parts(caller, version as ObjectVersionRecord, paths)) {
          yield separator + (text ?? 'null');
          separator = ',';
        }
      separator = ',';
      at += Math.max(1, paths.length);
    }
    yield targets.length === 0 ? '{"vals":[]}' : ']}';
  }

  private find(projectRowId: string, { name, digest }: ObjectRef): Promise<ObjectVersionRecord | null> {
    return this.objects.findVersion(projectRowId, name, parseVersionSelector(digest));
  }

  private async textOf({ projectRowId, val }: ObjectVersionRecord): Promise<string> {
    return (await this.values.get(projectRowId, val)) as string;
  }

  /** The texts of the values to which paths into a version lead; null: nowhere. */
  private async *parts(
    caller: Principal,
    version: ObjectVersionRecord,
    paths: RefStep[][],
  ): AsyncGenerator<string | null> {
    const text = await this.textOf(version);
    for (let at = 0; at < paths.length;) {
      const rest = paths.slice(at);
      const reached = await this.threads.runUnlessLight(STEPS, { text, paths: rest }, text.length);
      for (const [index, one] of reached.entries()) yield await this.goOn(caller, one, rest[index] as RefStep[]);
      at += reached.length;
    }
  }

  /** The text of the value to which the steps lead that were not taken. */
  private async goOn(caller: Principal, { text, taken }: Reached, steps: RefStep[]): Promise<string | null> {
    const step = steps[taken];
    if (text === null || step === undefined) return text;
    const named = await this.follow(caller, text, step);
    // A value that is a ref stands for what it names, a table for the row of the step.
    return named === null ? null : this.walk(caller, named, steps.slice(step.kind === 'id' ? taken + 1 : taken));
  }

  private async walk(caller: Principal, text: string, steps: RefStep[]): Promise<string | null> {
    if (steps.length === 0) return text;
    const [reached] = await this.threads.runUnlessLight(STEPS, { text, paths: [steps] }, text.length);
    return this.goOn(caller, reached as Reached, steps);
  }

  /** What a step goes on in, where it has met a string. Null: the string names nothing in which it could. */
  private async follow(caller: Principal, string: string, step: RefStep): Promise<string | null> {
    let text: string | null = string;
    for (let hops = 0; text?.startsWith('"') && hops < MAX_HOPS; hops++) {
      const current = JSON.parse(text) as string;
      const table = parseTableRef(current);
      if (table) return step.kind === 'id' ? this.row(caller, table.projectId, step.name) : null;
      const ref = parseRef(current);
      if (ref?.kind !== 'object' && ref?.kind !== 'op') return null;
      const projectRowId = await this.access.findIfReadable(caller, 'trace', ref.projectId);
      const version = projectRowId === null ? null : await this.find(projectRowId, ref);
      if (!version || version.deletedAt) return null;
      text = await this.walk(caller, await this.textOf(version), refSteps(current));
    }
    return step.kind === 'id' || text?.startsWith('"') ? null : text;
  }

  private async row(caller: Principal, projectId: string, digest: string): Promise<string | null> {
    const projectRowId = await this.access.findIfReadable(caller, 'trace', projectId);
    return projectRowId === null ? null : this.tables.findRow(projectRowId, digest);
  }
}

/** Steps of the refs from one on that name the same version, and a part of it: they come together. */
function pathsInto(version: ObjectVersionRecord | null, targets: Target[], from: number): RefStep[][] {
  const paths: RefStep[][] = [];
  for (let at = from; version !== null; at++) {
    const target = targets[at];
    if (target?.version !== version || target.steps.length === 0) break;
    paths.push(target.steps);
  }
  return paths;
}

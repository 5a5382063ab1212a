import { Readable } from 'node:stream';

import { type Principal, ProjectAccess } from '@hone/auth';
import { ValueRepository } from '@hone/calls';
import {
  isJsonObject,
  type JsonValue,
  type ObjectRef,
  parseJson,
  parseRef,
  parseTableRef,
  parseVersionSelector,
  type RefStep,
  refSteps,
  stringifyJson,
} from '@hone/contracts';
import { HeavyWork } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { ObjectNotFoundError } from '../objects/object.errors.js';
import type { ObjectVersionRecord } from '../objects/object.record.js';
import { ObjectRepository } from '../objects/object.repository.js';
import { TableRepository } from '../tables/table.repository.js';

/** Refs in values that one ref is followed through: values can name each other in a circle. */
const MAX_HOPS = 10;

/** A version that a ref names, and where in its value to go. */
interface Target {
  /** Null: it was deleted. */
  version: ObjectVersionRecord | null;
  steps: RefStep[];
}

/** The value of the version before, parsed: refs to rows of one dataset come together. */
interface LastValue {
  key: string;
  value: JsonValue;
}

/** Reads values by refs. */
@Injectable()
export class RefReaderService {
  constructor(
    private readonly objects: ObjectRepository,
    private readonly tables: TableRepository,
    private readonly values: ValueRepository,
    private readonly access: ProjectAccess,
    private readonly heavy: HeavyWork,
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
      const steps = refSteps(text);
      // A whole value is written out as it is stored; a part of it takes parsing.
      this.heavy.passOnIf(steps.length > 0 && version.val.blob !== null);
      targets.push({ version: version.deletedAt ? null : version, steps });
    }
    return Readable.from(this.texts(caller, targets), { objectMode: false });
  }

  private async *texts(caller: Principal, targets: Target[]): AsyncGenerator<string> {
    let separator = '{"vals":[';
    let last: LastValue | undefined;
    for (const { version, steps } of targets) {
      if (version === null) yield `${separator}null`;
      else if (steps.length === 0) yield separator + (await this.textOf(version));
      else {
        last = await this.valueOf(version, last);
        yield separator + stringifyJson(await this.walk(caller, last.value, steps));
      }
      separator = ',';
    }
    yield targets.length === 0 ? '{"vals":[]}' : ']}';
  }

  private find(projectRowId: string, { name, digest }: ObjectRef): Promise<ObjectVersionRecord | null> {
    return this.objects.findVersion(projectRowId, name, parseVersionSelector(digest));
  }

  private async textOf({ projectRowId, val }: ObjectVersionRecord): Promise<string> {
    return (await this.values.get(projectRowId, val)) as string;
  }

  private async valueOf(version: ObjectVersionRecord, last?: LastValue): Promise<LastValue> {
    const key = `${version.projectRowId} ${version.objectId} ${version.digest}`;
    return last?.key === key ? last : { key, value: parseJson(await this.textOf(version)) };
  }

  private async walk(caller: Principal, value: JsonValue, steps: RefStep[]): Promise<JsonValue> {
    let current: JsonValue | undefined = value;
    for (const step of steps) {
      current = await this.follow(caller, current, step);
      if (step.kind !== 'id') current = child(current, step);
      if (current === undefined) return null;
    }
    return current;
  }

  /** What a step goes on in: a value that is a ref stands for what it names, a table for the row of the step. */
  private async follow(caller: Principal, value: JsonValue, step: RefStep): Promise<JsonValue | undefined> {
    let current: JsonValue = value;
    for (let hops = 0; typeof current === 'string' && hops < MAX_HOPS; hops++) {
      const table = parseTableRef(current);
      if (table) return step.kind === 'id' ? this.row(caller, table.projectId, step.name) : undefined;
      const ref = parseRef(current);
      if (ref?.kind !== 'object' && ref?.kind !== 'op') return undefined;
      const projectRowId = await this.access.findIfReadable(caller, 'trace', ref.projectId);
      const version = projectRowId === null ? null : await this.find(projectRowId, ref);
      if (!version || version.deletedAt) return undefined;
      current = await this.walk(caller, parseJson(await this.textOf(version)), refSteps(current));
    }
    return step.kind === 'id' ? undefined : current;
  }

  private async row(caller: Principal, projectId: string, digest: string): Promise<JsonValue | undefined> {
    const projectRowId = await this.access.findIfReadable(caller, 'trace', projectId);
    const text = projectRowId === null ? null : await this.tables.findRow(projectRowId, digest);
    return text === null ? undefined : parseJson(text);
  }
}

function child(value: JsonValue | undefined, { kind, name }: RefStep): JsonValue | undefined {
  if (Array.isArray(value)) return kind === 'index' && /^\d{1,9}$/.test(name) ? value[Number(name)] : undefined;
  return kind !== 'index' && isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

import type { Readable } from 'node:stream';

import { type Principal, ProjectAccess, ProjectNotFoundError } from '@hone/auth';
import type { CallSelection, ValueColumn } from '@hone/call-queries';
import { type CallFilterDto, RawJson, stringifyJson, type TrackedDeleteResultDto } from '@hone/contracts';
import { isOfKind, type WantedAttributes } from '@hone/evaluation-results';
import { RefScheme } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { CallNotFoundError } from '../calls/call.errors.js';
import { CallReadRepository } from '../calls/reads/call-read.repository.js';
import { CallDeletion } from '../calls/writes/call-deletion.js';
import { honeAttributes, type TrackedCall, type TrackedKind } from './tracked-kind.js';
import { SCORE } from './tracked-kinds.js';

/** Which calls of a kind a list has. */
export interface TrackedSelection {
  filter?: CallFilterDto;
  attributes?: WantedAttributes;
  limit: number | undefined;
  offset: number | undefined;
}

/** Reads and deletes calls of a kind. */
@Injectable()
export class TrackedCallService {
  constructor(
    private readonly calls: CallReadRepository,
    private readonly deletion: CallDeletion,
    private readonly access: ProjectAccess,
    private readonly refScheme: RefScheme,
  ) {}

  /** One call of a kind, as it is answered. @throws AccessDeniedError, ProjectNotFoundError, CallNotFoundError */
  async get(kind: TrackedKind, caller: Principal, projectId: string, id: string): Promise<RawJson> {
    const projectRowId = await this.access.getReadable(caller, 'trace', projectId);
    const found = await this.find(kind, projectId, projectRowId, id, true);
    return new RawJson(stringifyJson(kind.toAnswer(found)));
  }

  /**
   * One call of a kind, without its values, for somebody who means to add to it.
   *
   * @throws AccessDeniedError, ProjectNotFoundError, CallNotFoundError
   */
  async getWritable(
    kind: TrackedKind,
    caller: Principal,
    projectId: string,
    id: string,
  ): Promise<TrackedCall & { projectRowId: string }> {
    const { rowId } = await this.access.grantWrite(caller, 'trace', projectId, 'writer');
    if (rowId === null) throw new ProjectNotFoundError(projectId);
    return { ...(await this.find(kind, projectId, rowId, id, false)), projectRowId: rowId };
  }

  /** Calls of a kind, the first made first, one per line. An unknown project has none. @throws AccessDeniedError */
  async list(
    kind: TrackedKind,
    caller: Principal,
    projectId: string,
    { filter, attributes, limit, offset }: TrackedSelection,
  ): Promise<RawJson | Readable> {
    const projectRowId = await this.access.findReadable(caller, 'trace', projectId);
    if (projectRowId === null) return new RawJson('');
    const selection = this.select(kind, projectId, projectRowId, { ...filter, op_names: [kind.opName] }, attributes);
    return this.calls.lines(selection, { limit, offset }, ['attributes', ...kind.columns], (row, texts) =>
      stringifyJson(kind.toAnswer({ row, texts, hone: honeAttributes(texts.attributes) })),
    );
  }

  /**
   * The trace that the calls of an evaluation run belong to; null: there is no such run.
   *
   * @throws AccessDeniedError
   */
  async findTraceId(kind: TrackedKind, caller: Principal, projectId: string, id: string): Promise<string | null> {
    const projectRowId = await this.access.findReadable(caller, 'trace', projectId);
    if (projectRowId === null) return null;
    const found = await this.calls.findFirst(this.select(kind, projectId, projectRowId, { call_ids: [id] }), []);
    return found?.row.trace_id ?? null;
  }

  /** Calls by their ids, whatever their kind, with what results are made of. */
  listTrials(projectId: string, projectRowId: string, ids: string[]): Promise<TrackedCall[]> {
    return this.listByIds(projectId, projectRowId, ids, ['attributes', 'inputs', 'output']);
  }

  /** The same with what says which evaluation they run. */
  listRuns(projectId: string, projectRowId: string, ids: string[]): Promise<TrackedCall[]> {
    return this.listByIds(projectId, projectRowId, ids, ['attributes', 'inputs']);
  }

  private listByIds(
    projectId: string,
    projectRowId: string,
    ids: string[],
    columns: ValueColumn[],
  ): Promise<TrackedCall[]> {
    const filter = { call_ids: ids };
    return this.listAll({ projectId, projectRowId, filter, condition: undefined, ...this.context(false) }, columns);
  }

  /** The scores of predictions, the first made first. */
  async listScores(projectId: string, projectRowId: string, predictionIds: string[]): Promise<TrackedCall[]> {
    const selection = this.select(SCORE, projectId, projectRowId, { parent_ids: predictionIds });
    return this.listAll(selection, ['attributes', 'output']);
  }

  /** Deletes calls of a kind with all that belongs to them. @throws AccessDeniedError, ProjectNotFoundError */
  async delete(
    kind: TrackedKind,
    caller: Principal,
    projectId: string,
    ids: string[],
  ): Promise<TrackedDeleteResultDto> {
    const projectRowId = await this.access.getReadable(caller, 'trace', projectId, 'writer');
    const selection = this.select(kind, projectId, projectRowId, { call_ids: ids });
    const found = await this.calls.listIds(selection, ids.length);
    await this.deletion.delete(caller, { projectId, projectRowId, ids: found });
    return { num_deleted: found.length };
  }

  private async find(
    kind: TrackedKind,
    projectId: string,
    projectRowId: string,
    id: string,
    withValues: boolean,
  ): Promise<TrackedCall> {
    const selection = this.select(kind, projectId, projectRowId, { call_ids: [id] });
    const found = await this.calls.findFirst(selection, ['attributes', ...(withValues ? kind.columns : [])]);
    if (!found) throw new CallNotFoundError(id, projectId, kind.noun);
    return { ...found, hone: honeAttributes(found.texts.attributes) };
  }

  private async listAll(selection: CallSelection, columns: ValueColumn[]): Promise<TrackedCall[]> {
    const calls = await this.calls.listAll(selection, columns);
    return calls.map(({ row, texts }) => ({ row, texts, hone: honeAttributes(texts.attributes) }));
  }

  private context = (needsValues: boolean) => ({ needsValues, refScheme: this.refScheme.name });

  private select(
    kind: TrackedKind,
    projectId: string,
    projectRowId: string,
    filter: CallFilterDto,
    attributes?: WantedAttributes,
  ): CallSelection {
    return {
      ...{ projectId, projectRowId, filter, ...this.context(true) },
      condition: isOfKind(kind, attributes),
    };
  }
}

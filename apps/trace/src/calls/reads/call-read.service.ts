import type { Readable } from 'node:stream';

import { type Principal, ProjectAccess } from '@hone/auth';
import {
  callField,
  type CallSelection,
  CallSelector,
  COST_FIELD,
  isCallField,
  parseFieldPath,
  TRACE_FIELD,
  unknownFields,
  type ValueColumn,
} from '@hone/call-queries';
import { type Prices, PricesRepository } from '@hone/calls';
import {
  type CallReadDto,
  type CallsPageQueryDto,
  type CallsQueryDto,
  type CallsStatsQueryDto,
  type CallsStatsResultDto,
  type Issue,
  RawJson,
} from '@hone/contracts';
import { RefScheme, ValidationError } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { Cursors, noNextCursor } from '../../cursors/cursors.js';
import { FeedbackQueryRepository } from '../../feedback/query/feedback-query.repository.js';
import type { RowSource } from '../../streams/row-stream.js';
import { noRows, type RowsAnswer } from '../../streams/rows-answer.js';
import { SettingsRepository } from '../settings/settings.repository.js';
import { ALL_COLUMNS } from './call-columns.sql.js';
import { CallReadRepository } from './call-read.repository.js';
import type { CallRow } from './call-row.js';
import { type CallExtras, type CallForm, refsAt, toNamedField } from './call-writer.js';
import { ObjectRefs } from './object-refs.js';
import { TraceSumsRepository } from './trace-sums.repository.js';

@Injectable()
export class CallReadService {
  constructor(
    private readonly calls: CallReadRepository,
    private readonly feedback: FeedbackQueryRepository,
    private readonly prices: PricesRepository,
    private readonly settings: SettingsRepository,
    private readonly traces: TraceSumsRepository,
    private readonly objects: ObjectRefs,
    private readonly selector: CallSelector,
    private readonly cursors: Cursors,
    private readonly access: ProjectAccess,
    private readonly refScheme: RefScheme,
  ) {}

  /**
   * A call, or `{"call":null}`.
   *
   * @throws AccessDeniedError, ProjectNotFoundError
   */
  async read(caller: Principal, body: CallReadDto): Promise<RawJson | Readable> {
    const projectRowId = await this.access.getReadable(caller, 'trace', body.project_id);
    const selection = this.selector.select(projectRowId, { ...body, filter: { call_ids: [body.id] } });
    const form = await this.toForm(projectRowId, body);
    return this.calls.readFirst(selection, form);
  }

  /**
   * Calls that meet the conditions, one per line. An unknown project has none.
   *
   * @throws ValidationError an unknown field, a bad expression
   * @throws AccessDeniedError
   */
  async stream(caller: Principal, query: CallsQueryDto): Promise<RawJson | Readable> {
    assertFields(query);
    const selected = this.selector.compile(query);
    const projectRowId = await this.access.findReadable(caller, 'trace', query.project_id);
    if (projectRowId === null) return new RawJson('');
    const form = await this.toForm(projectRowId, query);
    const selection = await this.selector.within(projectRowId, selected);
    return this.calls.stream(selection, query, form, (rows) => this.lookUp(caller, projectRowId, query, form, rows));
  }

  /**
   * The same as one JSON object, or a page of it.
   *
   * @throws ValidationError an unknown field, a bad expression, a cursor that is none of this query
   * @throws AccessDeniedError
   */
  async query(caller: Principal, query: CallsPageQueryDto, asLines: boolean): Promise<RowsAnswer> {
    assertFields(query);
    const selected = this.selector.compile(query);
    const { project_id, filter, sort_by } = query;
    const asked = { project_id, filter, query: query.query, sort_by };
    const page = await this.cursors.open(query, 'calls/query', asked, asLines);
    const projectRowId = await this.access.findReadable(caller, 'trace', project_id);
    if (projectRowId === null) return noRows(`{"calls":[]${noNextCursor(page)}}`, asLines);
    const form = await this.toForm(projectRowId, query);
    const lookUp = (rows: CallRow[]) => this.lookUp(caller, projectRowId, query, form, rows);
    const selection = await this.selector.within(projectRowId, selected);
    return this.calls.page(selection, query, form, lookUp, { page, asLines });
  }

  /** All columns of calls, as {@link stream} answers them. */
  async wholeCalls(selection: CallSelection): Promise<RowSource<CallRow>> {
    const form = await this.toForm(selection.projectRowId, { project_id: selection.projectId });
    return this.calls.source(selection, {}, form, async () => ({}));
  }

  /**
   * How many calls meet the conditions. An unknown project has none.
   *
   * @throws ValidationError a bad expression
   * @throws AccessDeniedError
   */
  async count(caller: Principal, query: CallsStatsQueryDto): Promise<CallsStatsResultDto> {
    const selected = this.selector.compile(query);
    const projectRowId = await this.access.findReadable(caller, 'trace', query.project_id);
    if (projectRowId === null) return { count: 0, has_more: false };
    const limit = query.limit ?? null;
    const selection = await this.selector.within(projectRowId, selected);
    const count = await this.calls.count(selection, limit === null ? null : limit + 1);
    return limit !== null && count > limit ? { count: limit, has_more: true } : { count, has_more: false };
  }

  private async toForm(
    projectRowId: string,
    query: Pick<CallsQueryDto, 'project_id' | 'columns' | 'expand_columns' | 'include_costs' | 'include_storage_size'>,
  ): Promise<CallForm> {
    return {
      projectId: query.project_id,
      refScheme: this.refScheme.name,
      fields: (query.columns?.length ? query.columns : ALL_COLUMNS).map(toNamedField),
      expanded: (query.expand_columns ?? []).map(parseFieldPath),
      includeCosts: query.include_costs === true,
      prices:
        query.include_costs || asks(query, COST_FIELD) || asks(query, TRACE_FIELD)
          ? await this.prices.find(projectRowId)
          : undefined,
      includeStorageSize: query.include_storage_size === true,
      retentionDays: await this.settings.findRetentionDays(projectRowId),
    };
  }

  private async lookUp(
    caller: Principal,
    projectRowId: string,
    query: CallsQueryDto,
    { prices }: CallForm,
    rows: CallRow[],
  ): Promise<CallExtras> {
    const { include_feedback, expand_columns, project_id } = query;
    const ids = rows.map(({ id }) => id);
    return {
      ...(include_feedback && {
        feedback: await this.feedback.findOfCalls(projectRowId, project_id, ids, this.refScheme.name),
      }),
      ...(asks(query, TRACE_FIELD) && {
        traces: await this.traces.ofTraces(
          projectRowId,
          [...new Set(rows.map((row) => row.trace_id))],
          prices as Prices,
        ),
      }),
      ...(expand_columns?.length && { objects: await this.expand(caller, projectRowId, expand_columns, rows) }),
    };
  }

  /** Each ref is looked up once per batch of rows. */
  private async expand(caller: Principal, projectRowId: string, names: string[], rows: CallRow[]) {
    const objects = new Map<string, string>();
    const tried = new Set<string>();
    const fields = names.map(parseFieldPath);
    for (const column of new Set(fields.map((field) => field.column as ValueColumn))) {
      const paths = fields.filter((field) => field.column === column).map(({ path }) => path);
      for (const row of rows) {
        const text = await this.calls.text(projectRowId, row, column);
        for (const ref of text?.includes(':///') ? refsAt(text, paths) : []) {
          if (tried.has(ref)) continue;
          tried.add(ref);
          const found = await this.objects.find(caller, ref);
          if (found !== null) objects.set(ref, found);
        }
      }
    }
    return objects;
  }
}

const asks = ({ columns }: Pick<CallsQueryDto, 'columns'>, field: string): boolean => columns?.includes(field) === true;

function assertFields(query: CallsQueryDto): void {
  const issues: Issue[] = [
    ...unknownFields(
      (query.sort_by ?? []).map(({ field }) => field),
      callField,
      (index) => ['body', 'sort_by', index, 'field'],
    ),
    ...unknownFields(query.columns ?? [], isCallField, (index) => ['body', 'columns', index]),
  ];
  if (issues.length) throw new ValidationError(issues);
}

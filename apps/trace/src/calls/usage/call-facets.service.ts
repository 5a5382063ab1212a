import { type Principal, ProjectAccess } from '@hone/auth';
import {
  callField,
  CallSelector,
  isAmongValues,
  type Operand,
  TRACE_MODELS_FIELD,
  unknownFields,
} from '@hone/call-queries';
import { type CallFacetsDto, type CallFacetsResultDto, isJsonObject, type JsonValue } from '@hone/contracts';
import { ValidationError } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { CallFacetsRepository } from './call-facets.repository.js';

const DEFAULT_LIMIT = 10;
const DEFAULT_SAMPLE = 10_000;

@Injectable()
export class CallFacetsService {
  constructor(
    private readonly facets: CallFacetsRepository,
    private readonly selector: CallSelector,
    private readonly access: ProjectAccess,
  ) {}

  /**
   * The most frequent values of fields, with counts, over the newest calls that match. An unknown project has none.
   *
   * @throws ValidationError a bad expression, an unknown field
   * @throws AccessDeniedError
   */
  async count(caller: Principal, body: CallFacetsDto): Promise<CallFacetsResultDto> {
    const issues = unknownFields(
      body.fields,
      (name) => isOfTrace(name) || callField(name),
      (index) => ['body', 'fields', index],
    );
    if (issues.length) throw new ValidationError(issues);
    const whole = this.selector.compile(body);
    const selected = this.selector.compile({ ...body, query: quickPart(this.selector, body) });
    const projectRowId = await this.access.findReadable(caller, 'trace', body.project_id);
    if (projectRowId === null) return NO_CALLS(body.fields);
    const { condition, needsValues: conditionNeedsValues } = await this.selector.within(projectRowId, whole);
    const selection = await this.selector.within(projectRowId, selected);
    return this.facets.count({
      ...{ selection, condition, conditionNeedsValues },
      fields: body.fields.map((name) => ({
        ...{ name, operand: isOfTrace(name) ? null : (callField(name) as Operand), isAmongValues: isAmongValues(name) },
      })),
      ...{ limit: body.limit ?? DEFAULT_LIMIT, sample: body.sample ?? DEFAULT_SAMPLE },
    });
  }
}

const isOfTrace = (name: string): boolean => name === TRACE_MODELS_FIELD;

const NO_CALLS = (fields: readonly string[]): CallFacetsResultDto => ({
  ...{ scanned: 0, has_more: false, oldest_started_at: null, count: 0 },
  facets: fields.map((field) => ({ field, values: [], other: 0, truncated: false })),
});

/**
 * Those conditions of the query, joined by `$and`, that name no value and ask no other call: they choose which calls are
 * read at all.
 */
function quickPart(selector: CallSelector, { project_id, query }: CallFacetsDto): CallFacetsDto['query'] {
  const parts = query ? conjunctsOf(query.$expr as JsonValue) : [];
  const quick = parts.filter(($expr) => {
    const { needsValues, readsTraces } = selector.compile({ project_id, query: { $expr } as CallFacetsDto['query'] });
    return !needsValues && !readsTraces;
  });
  return quick.length === 0 ? null : ({ $expr: { $and: quick } } as unknown as CallFacetsDto['query']);
}

function conjunctsOf(expression: JsonValue): JsonValue[] {
  const parts = isJsonObject(expression) ? expression['$and'] : undefined;
  return Array.isArray(parts) ? parts : [expression];
}

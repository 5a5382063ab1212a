import { type Principal, ProjectAccess } from '@hone/auth';
import {
  callField,
  CallSelector,
  isAmongValues,
  type Operand,
  TRACE_MODELS_FIELD,
  unknownFields,
} from '@hone/call-queries';
import type { CallFacetsDto, CallFacetsResultDto } from '@hone/contracts';
import { ValidationError } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { CallFacetsRepository } from './call-facets.repository.js';
import { quickCondition } from './quick-condition.sql.js';

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
   * The most frequent values of fields, with counts, over those of the newest calls that match. Newest are those that meet
   * what of the query is quick to check. An unknown project has none.
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
    const projectRowId = await this.access.findReadable(caller, 'trace', body.project_id);
    if (projectRowId === null) return NO_CALLS(body.fields);
    const ways = await this.selector.choose(projectRowId, whole);
    const selection = this.selector.select(projectRowId, body);
    return this.facets.count({
      selection: { ...selection, condition: quickCondition(this.selector, projectRowId, body, ways) },
      ...{ condition: whole.conditionIn(projectRowId, ways), conditionNeedsValues: whole.needsValues },
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

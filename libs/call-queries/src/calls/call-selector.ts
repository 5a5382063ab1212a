import type { CallConditionDto, CallFilterDto, JsonValue, Loc } from '@hone/contracts';
import { RefScheme } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { compileExpression } from '../expressions/expression.js';
import { callField, isAmongValues } from './call-fields.sql.js';
import type { CallSelection } from './call-selection.sql.js';

/** What bodies say of the calls that they mean. */
export interface SelectionBody {
  project_id: string;
  filter?: CallFilterDto | null;
  query?: CallConditionDto | null;
}

/** Turns filters and expressions of bodies into conditions on calls. */
@Injectable()
export class CallSelector {
  constructor(private readonly refScheme: RefScheme) {}

  /**
   * Before access is checked: a bad expression is a 422 for everybody.
   *
   * @param loc of the body's query
   * @throws ValidationError
   */
  compile(
    { project_id, filter, query }: SelectionBody,
    loc: Loc = ['body', 'query'],
  ): Omit<CallSelection, 'projectRowId'> {
    let needsValues = false;
    const resolve = (name: string) => {
      needsValues ||= isAmongValues(name);
      return callField(name);
    };
    const context = { resolve, refScheme: this.refScheme.name };
    const condition = query ? compileExpression(query.$expr as JsonValue, context, [...loc, '$expr']) : undefined;
    return { projectId: project_id, filter, condition, needsValues, refScheme: this.refScheme.name };
  }

  /** @throws ValidationError */
  select(projectRowId: string, body: SelectionBody): CallSelection {
    return { ...this.compile(body), projectRowId };
  }
}

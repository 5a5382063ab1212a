import type { CallConditionDto, CallFilterDto, JsonValue, Loc } from '@hone/contracts';
import { RefScheme } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { compileExpression } from '../expressions/expression.js';
import { searchCondition } from '../search/search-operator.js';
import { SearchStateRepository } from '../search/search-state.repository.js';
import { callField, isAmongValues } from './call-fields.sql.js';
import type { CallSelection } from './call-selection.sql.js';

/** What bodies say of the calls that they mean. */
export interface SelectionBody {
  project_id: string;
  filter?: CallFilterDto | null;
  query?: CallConditionDto | null;
}

/** What a body selects, in a project whose row is not known yet. */
export interface CompiledSelection extends Omit<CallSelection, 'projectRowId'> {
  /** The condition in a project, where it depends on that: it has `$search`. */
  conditionIn: ((projectRowId: string) => CallSelection['condition']) | undefined;
}

/** Turns filters and expressions of bodies into conditions on calls. */
@Injectable()
export class CallSelector {
  constructor(
    private readonly refScheme: RefScheme,
    private readonly searches: SearchStateRepository,
  ) {}

  /**
   * Before access is checked: a bad expression is a 422 for everybody.
   *
   * @param loc of the body's query
   * @throws ValidationError
   */
  compile({ project_id, filter, query }: SelectionBody, loc: Loc = ['body', 'query']): CompiledSelection {
    let needsValues = false;
    let hasSearch = false;
    const resolve = (name: string) => {
      needsValues ||= isAmongValues(name);
      return callField(name);
    };
    const conditionIn = (projectRowId: string | null) => {
      const search = (argument: JsonValue, at: Loc) => {
        hasSearch = true;
        return searchCondition(argument, at, projectRowId);
      };
      const context = { resolve, refScheme: this.refScheme.name, search };
      return query ? compileExpression(query.$expr as JsonValue, context, [...loc, '$expr']) : undefined;
    };
    const condition = conditionIn(null);
    return {
      ...{ projectId: project_id, filter, condition, needsValues, refScheme: this.refScheme.name },
      conditionIn: hasSearch ? conditionIn : undefined,
    };
  }

  /**
   * The selection in its project. Where words are searched, it waits a moment for the calls that are stored now.
   *
   * @param mustBeWhole whether calls that are not searchable yet are an error
   * @throws SearchOffError, SearchIncompleteError
   */
  async within(projectRowId: string, compiled: CompiledSelection, mustBeWhole = false): Promise<CallSelection> {
    const { conditionIn, ...selection } = compiled;
    if (!conditionIn) return { ...selection, projectRowId };
    await this.searches.settle(projectRowId, mustBeWhole);
    return { ...selection, projectRowId, condition: conditionIn(projectRowId) };
  }

  /** A selection without `$search`. @throws ValidationError */
  select(projectRowId: string, body: Omit<SelectionBody, 'query'>): CallSelection {
    const { conditionIn: _none, ...selection } = this.compile(body);
    return { ...selection, projectRowId };
  }
}

import type { CallConditionDto, CallFilterDto, JsonValue, Loc } from '@hone/contracts';
import { RefScheme } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { compileExpression, type TraceContext } from '../expressions/expression.js';
import { isFound, type Search, type SearchWay } from '../search/search.sql.js';
import { readSearch } from '../search/search-operator.js';
import { SearchStateRepository } from '../search/search-state.repository.js';
import { SearchWaysRepository } from '../search/search-ways.repository.js';
import { callField, isAmongValues } from './call-fields.sql.js';
import { type CallSelection, isInTrace } from './call-selection.sql.js';

/** What bodies say of the calls that they mean. */
export interface SelectionBody {
  project_id: string;
  filter?: CallFilterDto | null;
  query?: CallConditionDto | null;
}

type Condition = NonNullable<CallSelection['condition']>;

/** What a body selects, in a project whose row is not known yet. */
export interface CompiledSelection extends Omit<CallSelection, 'projectRowId'> {
  /** The condition asks other calls of traces. */
  readsTraces: boolean;
  /** Each `$search` of the expression. */
  searches: readonly Search[];
  /** The condition with the searches run in these ways. */
  conditionIn: (projectRowId: string, ways: readonly SearchWay[]) => CallSelection['condition'];
}

/** Turns filters and expressions of bodies into conditions on calls. */
@Injectable()
export class CallSelector {
  constructor(
    private readonly refScheme: RefScheme,
    private readonly searchStates: SearchStateRepository,
    private readonly searchWays: SearchWaysRepository,
  ) {}

  /**
   * Before access is checked: a bad expression is a 422 for everybody.
   *
   * @param loc of the body's query
   * @throws ValidationError
   */
  compile({ project_id, filter, query }: SelectionBody, loc: Loc = ['body', 'query']): CompiledSelection {
    let needsValues = false;
    const resolve = (name: string) => {
      needsValues ||= isAmongValues(name);
      return callField(name);
    };
    let readsTraces = false;
    const ofTrace = () => {
      readsTraces = true;
      return callOfTrace();
    };
    const conditionWith = (search: (argument: JsonValue, at: Loc) => Condition) => {
      const context = { resolve, refScheme: this.refScheme.name, search, ofTrace };
      return query ? compileExpression(query.$expr as JsonValue, context, [...loc, '$expr']) : undefined;
    };
    const searches: Search[] = [];
    const condition = conditionWith((argument, at) => {
      searches.push(readSearch(argument, at));
      return isFound(searches.at(-1) as Search, '', { kind: 'walk' });
    });
    const conditionIn = (projectRowId: string, ways: readonly SearchWay[]) => {
      let next = 0; // expressions are read in the same order each time
      return conditionWith(() => isFound(searches[next] as Search, projectRowId, ways[next++] as SearchWay));
    };
    return {
      ...{ projectId: project_id, filter, condition, needsValues, refScheme: this.refScheme.name },
      ...{ readsTraces, searches, conditionIn },
    };
  }

  /**
   * The selection in its project. Where words are searched, it waits a moment for the calls that are stored now.
   *
   * @param mustBeWhole whether calls that are not searchable yet are an error
   * @throws SearchOffError, SearchIncompleteError
   */
  async within(projectRowId: string, compiled: CompiledSelection, mustBeWhole = false): Promise<CallSelection> {
    const { searches, conditionIn, readsTraces: _compiled, ...selection } = compiled;
    if (searches.length === 0) return { ...selection, projectRowId };
    await this.searchStates.settle(projectRowId, mustBeWhole);
    const ways: SearchWay[] = [];
    for (const search of searches) ways.push(await this.searchWays.choose(projectRowId, search));
    return { ...selection, projectRowId, condition: conditionIn(projectRowId, ways) };
  }

  /** A selection without `$search`. @throws ValidationError */
  select(projectRowId: string, body: Omit<SelectionBody, 'query'>): CallSelection {
    const { searches: _none, conditionIn: _same, readsTraces: _not, ...selection } = this.compile(body);
    return { ...selection, projectRowId };
  }
}

/** Another call of a trace. Its values are read where the condition on it names one. */
function callOfTrace(): TraceContext {
  let needsValues = false;
  return {
    resolve: (name) => {
      needsValues ||= isAmongValues(name);
      return callField(name);
    },
    exists: (condition) => isInTrace(condition, needsValues),
  };
}

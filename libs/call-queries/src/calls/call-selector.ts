import type { CallConditionDto, CallFilterDto, JsonValue, Loc } from '@hone/contracts';
import { RefScheme } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { compileExpression } from '../expressions/expression.js';
import type { OtherRecords } from '../expressions/expression-context.js';
import { feedbackField } from '../feedback/feedback-fields.sql.js';
import { FeedbackWaysRepository } from '../feedback/feedback-ways.repository.js';
import { type FeedbackCondition, type FeedbackWay, hasFeedback } from '../feedback/has-feedback.sql.js';
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

/** How each `$search` and each `$feedbackHas` of an expression is run, in their order. */
export interface Ways {
  searches: readonly SearchWay[];
  feedback: readonly FeedbackWay[];
}

/** What a body selects, in a project whose row is not known yet. */
export interface CompiledSelection extends Omit<CallSelection, 'projectRowId'> {
  /** The condition asks other calls of traces. */
  readsTraces: boolean;
  /** Each `$search` of the expression. */
  searches: readonly Search[];
  /** Each `$feedbackHas` of the expression. */
  feedback: readonly FeedbackCondition[];
  /** The condition with these run in the ways that were chosen. */
  conditionIn: (projectRowId: string, ways: Ways) => CallSelection['condition'];
}

/** Turns filters and expressions of bodies into conditions on calls. */
@Injectable()
export class CallSelector {
  constructor(
    private readonly refScheme: RefScheme,
    private readonly searchStates: SearchStateRepository,
    private readonly searchWays: SearchWaysRepository,
    private readonly feedbackWays: FeedbackWaysRepository,
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
    let trace: CallOfTrace | undefined; // of the `$traceHas` that was read last
    const ofTrace = () => (trace = callOfTrace());
    const conditionWith = (search: (argument: JsonValue, at: Loc) => Condition, exists: OtherRecords['exists']) => {
      const ofFeedback = { resolve: feedbackField, exists };
      const context = { resolve, refScheme: this.refScheme.name, search, ofTrace, ofFeedback };
      return query ? compileExpression(query.$expr as JsonValue, context, [...loc, '$expr']) : undefined;
    };
    const [searches, feedback]: [Search[], FeedbackCondition[]] = [[], []];
    const condition = conditionWith(
      (argument, at) => {
        searches.push(readSearch(argument, at));
        return isFound(searches.at(-1) as Search, '', { kind: 'walk' });
      },
      (ofRecord, limitsTrace) => {
        feedback.push({ condition: ofRecord, limitsTrace });
        return hasFeedback(ofRecord, { kind: 'walk' });
      },
    );
    const readsTraces = trace !== undefined;
    const conditionIn = (projectRowId: string, ways: Ways) => {
      let [search, record] = [0, 0]; // expressions are read in the same order each time
      return conditionWith(
        () => isFound(searches[search] as Search, projectRowId, ways.searches[search++] as SearchWay),
        (ofRecord, limitsTrace) => {
          const way = ways.feedback[record++] as FeedbackWay;
          if (limitsTrace && way.kind === 'ids') trace?.limitTo(way.traceIds);
          return hasFeedback(ofRecord, way);
        },
      );
    };
    return {
      ...{ projectId: project_id, filter, condition, needsValues, refScheme: this.refScheme.name },
      ...{ readsTraces, searches, feedback, conditionIn },
    };
  }

  /**
   * The selection in its project. Where words are searched, it waits a moment for the calls that are stored now.
   *
   * @param mustBeWhole whether calls that are not searchable yet are an error
   * @throws SearchOffError, SearchIncompleteError
   */
  async within(projectRowId: string, compiled: CompiledSelection, mustBeWhole = false): Promise<CallSelection> {
    const { searches, feedback, conditionIn, readsTraces: _compiled, ...selection } = compiled;
    if (searches.length + feedback.length === 0) return { ...selection, projectRowId };
    const ways = await this.choose(projectRowId, compiled, mustBeWhole);
    return { ...selection, projectRowId, condition: conditionIn(projectRowId, ways) };
  }

  /** Chooses the ways of a selection, as {@link within} does. */
  async choose(
    projectRowId: string,
    { projectId, searches, feedback }: CompiledSelection,
    mustBeWhole = false,
  ): Promise<Ways> {
    if (searches.length > 0) await this.searchStates.settle(projectRowId, mustBeWhole);
    const ways: { searches: SearchWay[]; feedback: FeedbackWay[] } = { searches: [], feedback: [] };
    for (const search of searches) ways.searches.push(await this.searchWays.choose(projectRowId, search));
    for (const condition of feedback)
      ways.feedback.push(await this.feedbackWays.choose(projectRowId, projectId, condition));
    return ways;
  }

  /** A selection without an expression. @throws ValidationError */
  select(projectRowId: string, body: Omit<SelectionBody, 'query'>): CallSelection {
    const { searches: _none, feedback: _no, conditionIn: _same, readsTraces: _not, ...selection } = this.compile(body);
    return { ...selection, projectRowId };
  }
}

/** Another call of a trace. Its values are read where the condition on it names one. */
interface CallOfTrace extends OtherRecords {
  /** It is of one of these traces. */
  limitTo: (traceIds: readonly string[]) => void;
}

function callOfTrace(): CallOfTrace {
  let needsValues = false;
  let traceIds: readonly string[] | undefined;
  return {
    limitTo: (ids) => (traceIds = traceIds?.filter((id) => ids.includes(id)) ?? ids),
    resolve: (name) => {
      needsValues ||= isAmongValues(name);
      return callField(name);
    },
    exists: (condition) => isInTrace(condition, needsValues, traceIds),
  };
}

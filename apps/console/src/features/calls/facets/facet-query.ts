import { REACTION } from '../../../shared/feedback/feedback.js';
import { fullPath, isSamePath } from '../../../shared/query/fields.js';
import { allOf, conjunctsOf, type Literal, type Path, type Query } from '../../../shared/query/query.js';

/** A value that calls can be chosen by; null: they have none. */
export type FacetValue = string | null;

/**
 * Whose values are chosen: those of the calls themselves or of any call of their traces, or of the reactions to the calls
 * or to any call of their traces.
 */
export type FacetScope = 'call' | 'trace' | 'reaction' | 'reaction in trace';

/** The conditions that the one on the values stands in, from the outermost on. */
const AROUND: Readonly<Record<FacetScope, readonly ('trace' | 'feedback')[]>> = {
  ...{ call: [], trace: ['trace'], reaction: ['feedback'], 'reaction in trace': ['trace', 'feedback'] },
};
/** Without it all other feedback of the project would be read for these, too. */
const IS_REACTION: Query = { kind: 'compare', path: ['type'], operator: '=', value: REACTION };

/** The values of a field that the query is limited to, where it says so in a condition of its own. */
export const chosenValues = (query: Query | null, path: Path, scope: FacetScope = 'call'): readonly Literal[] =>
  conjunctsOf(query).flatMap((part) => chosenIn(part, path, scope) ?? []);

/** The query without what limits it to values of this field. */
export const without = (query: Query | null, path: Path, scope: FacetScope = 'call'): Query | null =>
  allOf(conjunctsOf(query).filter((part) => chosenIn(part, path, scope) === null));

/** The query with this value of a field, or without where it had it. Calls that have none are asked for alone. */
export function toggled(query: Query | null, path: Path, value: FacetValue, scope: FacetScope = 'call'): Query | null {
  const before = chosenValues(query, path, scope);
  const others = before.filter((one) => String(one) !== String(value) && one !== null && value !== null);
  const values = before.some((one) => isSame(one, value)) ? others : [...others, value];
  const rest = conjunctsOf(without(query, path, scope));
  if (values.length === 0) return allOf(rest);
  const [first = null] = values;
  const chosen: Query =
    values.length === 1 ? { kind: 'compare', path, operator: '=', value: first } : { kind: 'in', path, values };
  // No value: no call of the trace has one.
  if (first === null && scope !== 'call')
    return allOf([...rest, { kind: 'not', part: within({ kind: 'exists', path }, scope) }]);
  return allOf([...rest, within(chosen, scope)]);
}

const within = (query: Query, scope: FacetScope): Query =>
  AROUND[scope].reduceRight<Query>(
    (part, kind) => ({ kind, part: kind === 'feedback' ? { kind: 'and', parts: [IS_REACTION, part] } : part }),
    query,
  );

/** Values are counted as texts. */
export const isSame = (literal: Literal, value: FacetValue): boolean =>
  literal === null || value === null ? literal === value : String(literal) === value;

function chosenIn(part: Query, path: Path, scope: FacetScope): readonly Literal[] | null {
  const chosen = insideOf(part, scope);
  if (chosen !== null) return valuesOf(chosen, path);
  const none = part.kind === 'not' ? insideOf(part.part, scope) : null;
  return none?.kind === 'exists' && isSamePath(fullPath(none.path), fullPath(path)) ? [null] : null;
}

/** What stands within the conditions of a scope; null: these are others. */
const insideOf = (query: Query, scope: FacetScope): Query | null =>
  AROUND[scope].reduce<Query | null>((outer, kind) => {
    if (outer?.kind !== kind) return null;
    return kind === 'feedback' ? allOf(conjunctsOf(outer.part).filter((part) => !isReaction(part))) : outer.part;
  }, query);

const isReaction = (part: Query): boolean => valuesOf(part, ['type'])?.join() === REACTION;

function valuesOf(part: Query, path: Path): readonly Literal[] | null {
  if (part.kind !== 'compare' && part.kind !== 'in') return null;
  if (!isSamePath(fullPath(part.path), fullPath(path))) return null;
  if (part.kind === 'in') return part.values;
  return part.operator === '=' ? [part.value] : null;
}

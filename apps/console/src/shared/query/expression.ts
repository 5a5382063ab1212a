import { isJsonObject } from '@hone/client';

import { isModel, isSamePath, isTime, MODEL, toFieldName, toPath, USAGE } from './fields.js';
import { isWords, parseQuery } from './parse.js';
import { type Comparison, type Literal, type Path, type Query, SEARCH_SIDES } from './query.js';

/** An expression of the interface: one operator with its operands. */
export type Expression = Readonly<Record<string, unknown>>;

const OPERATORS = { '=': '$eq', '<': '$lt', '<=': '$lte', '>': '$gt', '>=': '$gte' } as const;

/**
 * What the interface takes as `query` for the text of a query line; null: the text is empty.
 *
 * @throws QueryError
 */
export function toInterfaceQuery(text: string): { readonly $expr: Expression } | null {
  const query = parseQuery(text);
  return query && { $expr: toExpression(query) };
}

/** What the interface takes as the `$expr` of a query. */
export function toExpression(query: Query): Expression {
  switch (query.kind) {
    case 'and':
    case 'or':
      return { [`$${query.kind}`]: query.parts.map(toExpression) };
    case 'not':
      return { $not: toExpression(query.part) };
    case 'compare':
      return compare(query.path, query.operator, query.value);
    case 'contains':
      return { $contains: { input: field(query.path), substr: literal(query.text), case_insensitive: true } };
    case 'search':
      return { $search: { words: literal(query.words), ...(query.side && { input: { $getField: query.side } }) } };
    case 'trace':
      return { $traceHas: toExpression(query.part) };
    case 'feedback':
      return { $feedbackHas: toExpression(query.part) };
    case 'in':
      return isModel(query.path)
        ? { $or: query.values.map((value) => exists([...USAGE, String(value)])) }
        : { $in: [field(query.path), query.values.map((value) => literal(valueOf(query.path, value)))] };
    case 'exists':
      return isModel(query.path) ? { $not: NO_MODEL } : exists(query.path);
  }
}

const field = (path: Path): Expression => ({ $getField: toFieldName(path) });
const literal = (value: Literal): Expression => ({ $literal: value });
const exists = (path: Path): Expression => ({ $convert: { input: field(path), to: 'exists' } });

/** Missing and null read as the empty text. */
const NO_MODEL: Expression = { $in: [field(USAGE), [literal(''), literal('{}')]] };

function compare(path: Path, operator: Comparison, value: Literal): Expression {
  if (operator === '!=') return { $not: compare(path, '=', value) };
  if (value === null) return isModel(path) ? NO_MODEL : { $not: exists(path) };
  if (isModel(path)) return exists([...USAGE, String(value)]);
  return { [OPERATORS[operator]]: [field(path), literal(valueOf(path, value))] };
}

/** Times are whole ones for the interface; a day begins at its midnight in UTC. */
const valueOf = (path: Path, value: Literal): Literal =>
  isTime(path) && typeof value === 'string' && !value.includes('T') ? `${value}T00:00:00Z` : value;

/** The query of an expression that somebody else wrote; null: it says what the query line cannot say. */
export function fromExpression(expression: unknown): Query | null {
  const [[operator, argument] = ['', undefined], ...others] = Object.entries(
    isJsonObject(expression) ? expression : {},
  );
  if (others.length > 0) return null;
  switch (operator) {
    case '$and':
    case '$or':
      return junction(operator === '$and' ? 'and' : 'or', argument);
    case '$not':
      return negation(fromExpression(Array.isArray(argument) ? argument[0] : argument));
    case '$convert':
      return existence(argument);
    case '$contains':
      return containment(argument);
    case '$search':
      return search(argument);
    case '$traceHas':
      return ofOthers('trace', fromExpression(Array.isArray(argument) ? argument[0] : argument));
    case '$feedbackHas':
      return ofOthers('feedback', fromExpression(Array.isArray(argument) ? argument[0] : argument));
    case '$in':
      return membership(argument);
    default:
      return comparison(operator, argument);
  }
}

function junction(kind: 'and' | 'or', argument: unknown): Query | null {
  const parts = Array.isArray(argument) ? argument.map(fromExpression) : [];
  if (parts.length === 0 || !parts.every((part) => part !== null)) return null;
  return parts.length === 1 ? (parts[0] as Query) : { kind, parts };
}

function negation(part: Query | null): Query | null {
  if (part === null) return null;
  return part.kind === 'compare' && part.operator === '=' ? { ...part, operator: '!=' } : { kind: 'not', part };
}

const ofOthers = (kind: 'trace' | 'feedback', part: Query | null): Query | null => part && { kind, part };

function existence(argument: unknown): Query | null {
  const path = isJsonObject(argument) && argument['to'] === 'exists' ? pathOf(argument['input']) : null;
  if (path === null) return null;
  if (path.length === USAGE.length + 1 && isSamePath(path.slice(0, -1), USAGE))
    return { kind: 'compare', path: [MODEL], operator: '=', value: path.at(-1) as string };
  return { kind: 'exists', path };
}

function containment(argument: unknown): Query | null {
  const { input, substr } = isJsonObject(argument) ? argument : {};
  const [path, text] = [pathOf(input), literalOf(substr)];
  return path !== null && typeof text === 'string' ? { kind: 'contains', path, text } : null;
}

function search(argument: unknown): Query | null {
  const { words, input } = isJsonObject(argument) ? argument : {};
  const [text, path] = [literalOf(words), input === undefined ? null : pathOf(input)];
  const side = SEARCH_SIDES.find((one) => path?.length === 1 && path[0] === one) ?? null;
  const isKnown = input === undefined || side !== null;
  return typeof text === 'string' && isWords(text) && isKnown ? { kind: 'search', side, words: text } : null;
}

function membership(argument: unknown): Query | null {
  const [input, list] = Array.isArray(argument) ? argument : [];
  const [path, values] = [pathOf(input), Array.isArray(list) ? list.map(literalOf) : []];
  const isWhole = values.length > 0 && values.every((value) => value !== undefined && value !== null);
  return path !== null && isWhole ? { kind: 'in', path, values: values as Literal[] } : null;
}

function comparison(name: string, argument: unknown): Query | null {
  const operator = (Object.keys(OPERATORS) as (keyof typeof OPERATORS)[]).find((one) => OPERATORS[one] === name);
  const [input, compared] = Array.isArray(argument) ? argument : [];
  const [path, value] = [pathOf(input), literalOf(compared)];
  if (operator === undefined || path === null || value === undefined || value === null) return null;
  return { kind: 'compare', path, operator, value };
}

function pathOf(expression: unknown): Path | null {
  const name = isJsonObject(expression) ? expression['$getField'] : undefined;
  return typeof name === 'string' ? toPath(name) : null;
}

function literalOf(expression: unknown): Literal | undefined {
  const value = isJsonObject(expression) ? expression['$literal'] : undefined;
  return value === null || ['string', 'number', 'boolean'].includes(typeof value) ? (value as Literal) : undefined;
}

import type { Literal, Path, Query } from './query.js';
import { isBare } from './tokens.js';

/** A query as text that reads as the same query. */
export function printQuery(query: Query): string {
  switch (query.kind) {
    case 'and':
    case 'or':
      return query.parts.map((part) => printPart(part, query.kind)).join(` ${query.kind} `);
    case 'not':
      return `not ${isJunction(query.part) ? `(${printQuery(query.part)})` : printQuery(query.part)}`;
    case 'compare':
      return `${printPath(query.path)} ${query.operator} ${printLiteral(query.value)}`;
    case 'contains':
      return `${printPath(query.path)} contains ${printLiteral(query.text)}`;
    case 'search':
      return `search ${query.side === null ? '' : `${query.side} `}${printLiteral(query.words)}`;
    case 'trace':
      return `trace has (${printQuery(query.part)})`;
    case 'feedback':
      return `feedback has (${printQuery(query.part)})`;
    case 'in':
      return `${printPath(query.path)} in (${query.values.map(printLiteral).join(', ')})`;
    case 'exists':
      return `${printPath(query.path)} exists`;
  }
}

const isJunction = ({ kind }: Query): boolean => kind === 'and' || kind === 'or';

const printPart = (part: Query, within: 'and' | 'or'): string =>
  part.kind === 'or' || part.kind === within ? `(${printQuery(part)})` : printQuery(part);

export const printPath = (path: Path): string =>
  path.map((part, at) => (at === 0 || isBare(part) ? part : JSON.stringify(part))).join('.');

export const printLiteral = (value: Literal): string => JSON.stringify(value);

import {
  isJsonObject,
  isStorableText,
  issue,
  type JsonValue,
  type Loc,
  tooManyIssue,
  valueIssue,
} from '@hone/contracts';
import { ValidationError } from '@hone/platform';

const SENTENCE = 'Only $eq of id, $in of id, and $or of these may choose what is purged';
const MAX_LEVELS = 32;
const MAX_IN_VALUES = 1_000;

/**
 * The ids that a purge names. Its expression is `$eq` of `id` and a literal, `$in` of `id` and literals, or `$or` of
 * these: anything else could delete more than its author thought of.
 *
 * @throws ValidationError
 */
export function idsOfPurge(expression: JsonValue, loc: Loc = ['body', 'query', '$expr']): string[] {
  const ids = new Set<string>();
  collect(expression, loc, 1, ids);
  return [...ids];
}

function collect(node: JsonValue, loc: Loc, level: number, into: Set<string>): void {
  if (!isJsonObject(node)) throw new ValidationError([issue('dict_type', loc)]);
  const [key, ...others] = Object.keys(node);
  const sides = key === undefined ? undefined : node[key];
  if (key === undefined || others.length > 0 || !Array.isArray(sides) || level > MAX_LEVELS) refuse(loc);
  const at = [...loc, key];
  if (key === '$or') {
    for (const [index, part] of sides.entries()) collect(part, [...at, index], level + 1, into);
    return;
  }
  const [left, right] = sides;
  if (sides.length !== 2 || !isId(left)) refuse(at);
  if (key === '$eq') into.add(literalOf(right, [...at, 1]));
  else if (key === '$in' && Array.isArray(right)) {
    if (right.length > MAX_IN_VALUES) throw new ValidationError([tooManyIssue(MAX_IN_VALUES, [...at, 1])]);
    for (const [index, value] of right.entries()) into.add(literalOf(value, [...at, 1, index]));
  } else refuse(at);
}

const isId = (value: JsonValue | undefined): boolean =>
  isJsonObject(value) && Object.keys(value).length === 1 && value['$getField'] === 'id';

function literalOf(value: JsonValue | undefined, loc: Loc): string {
  const literal = isJsonObject(value) && Object.keys(value).length === 1 ? value['$literal'] : undefined;
  if (typeof literal !== 'string') refuse(loc);
  if (!isStorableText(literal)) throw new ValidationError([issue('string_unicode', [...loc, '$literal'])]);
  return literal;
}

function refuse(loc: Loc): never {
  throw new ValidationError([valueIssue(SENTENCE, loc)]);
}

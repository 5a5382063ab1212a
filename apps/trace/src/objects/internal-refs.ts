import { isJsonObject, type Issue, type JsonValue, type Loc, valueIssue } from '@hone/contracts';

const INTERNAL = 'weave-trace-internal:///';

/** String values that begin like an internal ref would hash like a ref that they are not. */
export function internalRefIssues(value: JsonValue, loc: Loc): Issue[] {
  if (typeof value === 'string')
    return value.startsWith(INTERNAL) ? [valueIssue('Input should not be an internal ref', loc)] : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => internalRefIssues(item, [...loc, index]));
  if (!isJsonObject(value)) return [];
  return Object.keys(value).flatMap((key) => internalRefIssues(value[key] as JsonValue, [...loc, key]));
}

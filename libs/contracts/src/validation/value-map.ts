import { valueIssue } from '../issues/issue.js';
import { asNumber, isJsonObject, type JsonValue, stringifyJson } from '../json/index.js';
import { fromRule, type Rule } from './rule.js';
import { mapRule, numberRule } from './rules.js';

const MAX_MAPPED = 256;
const MAP: Rule = mapRule(numberRule());

/** Text of a value -> number. */
export const IsValueMap = (): PropertyDecorator =>
  fromRule({
    ...MAP,
    name: 'isValueMap',
    issues(value) {
      if (isJsonObject(value) && Object.keys(value).length > MAX_MAPPED)
        return [valueIssue(`At most ${MAX_MAPPED} values`)];
      return MAP.issues(value);
    },
    schema: { ...MAP.schema, maxProperties: MAX_MAPPED },
  });

/**
 * The number of a value: what the map says of its text; without a map numbers as they are, and booleans as 1 and 0.
 *
 * @param preset of a value that is no number itself
 */
export function mappedNumber(
  value: JsonValue | undefined,
  map: Readonly<Record<string, number>> | null | undefined,
  preset?: number,
): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (map) {
    const text = typeof value === 'string' ? value : stringifyJson(value);
    return Object.hasOwn(map, text) ? map[text] : undefined;
  }
  if (typeof value === 'boolean') return Number(value);
  return asNumber(value) ?? preset;
}

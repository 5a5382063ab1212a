import { isJsonObject, type JsonValue, setKey } from '@hone/contracts';

import { toOwnPath, toOwnType } from '../names.js';

const TYPE_FIELD = 'feedback_type';

/**
 * An expression with our names: those of fields, and the types of feedback among the literals that are compared with one.
 * What is no expression stays as it is: the handler refuses it.
 */
export function toOwnExpression(expression: JsonValue, toOwn = toOwnPath): JsonValue {
  return new Renaming(toOwn).rename(expression, false);
}

class Renaming {
  constructor(private readonly toOwn: (field: string) => string) {}

  /** @param isType whether literals are types of feedback */
  rename(value: JsonValue, isType: boolean): JsonValue {
    if (Array.isArray(value)) {
      const areTypes = isType || value.some(isTypeField);
      return value.map((item) => this.rename(item, areTypes));
    }
    if (!isJsonObject(value)) return value;
    const areTypes = isType || Object.values(value).some(isTypeField);
    const renamed = {};
    for (const key of Object.keys(value)) setKey(renamed, key, this.operand(key, value[key] as JsonValue, areTypes));
    return renamed;
  }

  private operand(operator: string, value: JsonValue, isType: boolean): JsonValue {
    if (operator === '$getField') return typeof value === 'string' ? this.toOwn(value) : value;
    if (operator === '$literal') return isType && typeof value === 'string' ? toOwnType(value) : value;
    return this.rename(value, isType);
  }
}

/** `{"$getField":"feedback_type"}`, or a conversion of it. */
const isTypeField = (value: JsonValue): boolean =>
  isJsonObject(value) &&
  (value['$getField'] === TYPE_FIELD ||
    (isJsonObject(value['$convert']) && isTypeField(value['$convert']['input'] ?? null)));

import {
  acceptsUnknownFields,
  type Class,
  CostConditionDto,
  CostQueryDto,
  CostSortDto,
  type Field,
  fieldsOf,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setKey,
} from '@hone/contracts';

import { swapSummaryKey, toOwnCostField, toOwnField, toOwnPath, toOwnType } from '../names.js';
import { toOwnExpression } from './expression-names.js';
import { LENIENCY, MAPS, PARTS } from './leniency.js';
import { decodeProject, type OwnRefs } from './own-refs.js';

/** Fields that name fields, one each or a list. */
const NAMES_OF_FIELDS = new Set(['fields', 'columns', 'field']);
/** Classes with names of fields of prices. */
const PRICE_CLASSES = new Set<Class>([CostQueryDto, CostConditionDto, CostSortDto]);
const TYPES = new Set(['feedback_type', 'feedback_types']);

/**
 * Turns a body of an SDK into one that the handler of the class takes. The classes say which fields are typed: those are
 * renamed, and dropped where the class has none of that name. In free values only refs change.
 */
export class OwnBody {
  constructor(private readonly refs: OwnRefs) {}

  /** @param value changed in place where it is free. @throws InternalRefError */
  translate(value: JsonValue, type: Class): JsonValue {
    if (!isJsonObject(value)) return value;
    const body: JsonObject = {};
    const fields = fieldsByName(type);
    for (const key of Object.keys(value)) {
      const name = toOwnField(key);
      const field = name === undefined ? undefined : fields.get(name);
      const sent = value[key] as JsonValue;
      if (field) this.add(body, type, field, sent);
      else if (acceptsUnknownFields(type)) setKey(body, key, this.refs.value(sent));
    }
    LENIENCY.get(type)?.(body, value);
    return body;
  }

  private add(body: object, type: Class, field: Field, sent: JsonValue): void {
    if (sent === null && !field.mayBeNull && field.mayOmit) return; // the SDKs send what they have not set
    setKey(body, field.name, this.field(type, field, sent));
  }

  private field(type: Class, { name, nested }: Field, value: JsonValue): JsonValue {
    const part = PARTS.get(type)?.[name];
    if (part) return this.part(value, part);
    const member = MAPS.get(type)?.[name];
    if (member) return this.map(value, member);
    if (nested) {
      const inner = nested.type();
      if (!nested.isList) return this.translate(value, inner);
      return Array.isArray(value) ? value.map((item) => this.translate(item, inner)) : value;
    }
    const toOwn = PRICE_CLASSES.has(type) ? toOwnCostField : toOwnPath;
    if (name === '$expr') return this.refs.value(toOwnExpression(value, toOwn));
    if (name === 'project_id' && typeof value === 'string') return decodeProject(value) ?? value;
    if (name === 'summary' && isJsonObject(value)) return this.summary(value);
    if (NAMES_OF_FIELDS.has(name)) return eachText(value, toOwn);
    if (TYPES.has(name)) return eachText(value, toOwnType);
    return this.refs.value(value);
  }

  /** An object that the class leaves free, and whose members have classes nevertheless. */
  private part(value: JsonValue, classes: Readonly<Record<string, Class>>): JsonValue {
    if (!isJsonObject(value)) return value;
    const part = {};
    for (const [key, type] of Object.entries(classes))
      if (Object.hasOwn(value, key)) setKey(part, key, this.translate(value[key] as JsonValue, type));
    return part;
  }

  private map(value: JsonValue, type: Class): JsonValue {
    if (!isJsonObject(value)) return value;
    const map = {};
    for (const key of Object.keys(value)) setKey(map, key, this.translate(value[key] as JsonValue, type));
    return map;
  }

  private summary(value: Record<string, JsonValue>): JsonValue {
    const summary = {};
    for (const key of Object.keys(value))
      setKey(summary, swapSummaryKey(key), this.refs.value(value[key] as JsonValue));
    return summary;
  }
}

const FIELDS = new WeakMap<Class, ReadonlyMap<string, Field>>();

function fieldsByName(type: Class): ReadonlyMap<string, Field> {
  let fields = FIELDS.get(type);
  if (!fields) FIELDS.set(type, (fields = new Map(fieldsOf(type).map((field) => [field.name, field]))));
  return fields;
}

function eachText(value: JsonValue, rename: (text: string) => string): JsonValue {
  if (typeof value === 'string') return rename(value);
  return Array.isArray(value) ? value.map((item) => (typeof item === 'string' ? rename(item) : item)) : value;
}

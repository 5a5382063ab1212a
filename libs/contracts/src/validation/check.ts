import { getMetadataStorage } from 'class-validator';

import { type Issue, issue, type Loc, MAX_ISSUES } from '../issues/issue.js';
import { isJsonObject, setKey } from '../json/index.js';
import { acceptsUnknownFields, type Class, nestedOf, type Nesting, type Rule, ruleOf, unlessOf } from './rule.js';

/** Key of what a surface hands to a handler beside the fields of a body. No JSON can have it. */
export const BESIDE: unique symbol = Symbol('hone.beside');

/** What {@link BESIDE} holds; undefined: nothing. */
export const besideOf = (body: object): unknown => (body as { [BESIDE]?: unknown })[BESIDE];

/** A field of a DTO class as its decorators declare it. */
export interface Field {
  name: string;
  mayOmit: boolean;
  mayBeNull: boolean;
  /** The field that may stand in for this one. */
  unless?: readonly string[];
  rules: Rule[];
  nested?: Nesting;
}

export interface Checked<T> {
  /** An instance of the class; only when there are no issues. */
  value?: T;
  /** In field order, unknown fields last; at most {@link MAX_ISSUES}. */
  issues: Issue[];
}

/** The fields of a class, compiled. */
interface Shape {
  readonly fields: readonly Field[];
  /** Name -> index. */
  readonly indexes: ReadonlyMap<string, number>;
  /** Indices of those that must not be absent. */
  readonly required: readonly number[];
  readonly isOpen: boolean;
}

const SHAPES = new WeakMap<Class, Shape>();

/**
 * Validates a parsed JSON value against a DTO class and makes an instance of it. Reads the metadata that the
 * class-validator and class-transformer decorators left, and agrees with those libraries on what is valid. They are
 * not called because `plainToInstance` copies free values (losing `__proto__` and exact numbers) and because one
 * pass over compiled fields is several times as fast.
 *
 * @param loc prefix of every issue's `loc`, for example `['body']`
 */
export function check<T extends object>(type: Class<T>, input: unknown, loc: Loc = []): Checked<T> {
  const issues: Issue[] = [];
  const value = checkObject(type, input, { loc }, issues) as T;
  return issues.length ? { issues: issues.slice(0, MAX_ISSUES) } : { value, issues };
}

/** The fields of a DTO class in the order they are declared. */
export const fieldsOf = (type: Class): readonly Field[] => shapeOf(type).fields;

function shapeOf(type: Class): Shape {
  let shape = SHAPES.get(type);
  if (!shape) SHAPES.set(type, (shape = readShape(type)));
  return shape;
}

/** JSON path of a value; it becomes a `loc` only when there is an issue to report. */
interface Path {
  /** Of the outermost value. */
  loc?: Loc;
  parent?: Path;
  key?: string | number;
  index?: number;
}

function locOf({ loc, parent, key, index }: Path): Loc {
  if (loc) return loc;
  return [...locOf(parent as Path), key as string, ...(index === undefined ? [] : [index])];
}

function checkObject(type: Class, input: unknown, path: Path, issues: Issue[]): object | undefined {
  if (!isJsonObject(input)) {
    issues.push(issue('dict_type', locOf(path)));
    return undefined;
  }
  const target = new type();
  const beside = besideOf(input);
  if (beside !== undefined) (target as { [BESIDE]?: unknown })[BESIDE] = beside;
  const shape = shapeOf(type);
  const { fields, indexes, isOpen } = shape;
  const keys = Object.keys(input);
  for (const index of indexesOf(keys, shape)) {
    const field = fields[index] as Field;
    const value = Object.hasOwn(input, field.name) ? (input as Record<string, unknown>)[field.name] : undefined;
    if (value === undefined && field.mayOmit) continue;
    if (value === undefined && field.unless?.some((other) => isThere(input, other))) continue;
    if (issues.length >= MAX_ISSUES) return undefined;
    if (value === undefined) issues.push(issue('missing', [...locOf(path), field.name]));
    else if (value === null && field.mayBeNull) (target as Record<string, unknown>)[field.name] = null;
    else setKey(target, field.name, checkField(field, value, path, issues));
  }
  if (isOpen) return target;
  for (const key of keys) {
    if (issues.length >= MAX_ISSUES) return undefined;
    if (!indexes.has(key)) issues.push(issue('extra_forbidden', [...locOf(path), key]));
  }
  return target;
}

const isThere = (input: object, name: string): boolean =>
  Object.hasOwn(input, name) && ((input as Record<string, unknown>)[name] ?? null) !== null;

/**
 * Indices of the fields that have to be looked at, rising: those that are there, and those that should be. Classes have
 * many fields and most objects few of them.
 */
function indexesOf(keys: readonly string[], { fields, indexes, required }: Shape): number[] {
  const found = [...required];
  for (const key of keys) {
    const index = indexes.get(key);
    if (index === undefined || !(fields[index] as Field).mayOmit) continue;
    // Mostly in order already.
    let at = found.push(index) - 1;
    for (; at > 0 && (found[at - 1] as number) > index; at--) found[at] = found[at - 1] as number;
    found[at] = index;
  }
  return found;
}

function checkField(field: Field, value: unknown, path: Path, issues: Issue[]): unknown {
  let kept = value;
  for (const rule of field.rules) {
    const found = rule.issues(value);
    if (found.length) {
      for (const { loc: inner, msg, type } of found) {
        issues.push({ loc: [...locOf(path), field.name, ...inner], msg, type });
      }
      return undefined;
    }
    if (rule.coerce) kept = rule.coerce(kept);
  }
  if (!field.nested) return kept;
  const { isList } = field.nested;
  const type = field.nested.type();
  if (!isList) return checkObject(type, value, { parent: path, key: field.name }, issues);
  const items: unknown[] = [];
  for (const [index, item] of (value as unknown[]).entries()) {
    if (issues.length >= MAX_ISSUES) break;
    items.push(checkObject(type, item, { parent: path, key: field.name, index }, issues));
  }
  return items;
}

function readFields(type: Class): Field[] {
  const fields = new Map<string, Field>();
  for (const metadata of getMetadataStorage().getTargetValidationMetadatas(type, '', false, false)) {
    const name = metadata.propertyName;
    let field = fields.get(name);
    if (!field) fields.set(name, (field = { name, mayOmit: false, mayBeNull: false, rules: [] }));
    const rule = ruleOf(metadata.context);
    if (rule) field.rules.push(rule);
    else if (metadata.type === 'conditionalValidation') {
      const applies = metadata.constraints[0] as (object: object, value: unknown) => boolean;
      field.mayOmit ||= !applies({}, undefined);
      field.mayBeNull ||= !applies({ [name]: null }, null);
      field.unless ??= unlessOf(metadata.context);
    } else {
      field.nested = nestedOf(metadata.context) ?? field.nested;
    }
  }
  return [...fields.values()];
}

function readShape(type: Class): Shape {
  const fields = readFields(type);
  const indexes = new Map(fields.map(({ name }, index) => [name, index]));
  const required = [...indexes.values()].filter((index) => !(fields[index] as Field).mayOmit);
  return { fields, indexes, required, isOpen: acceptsUnknownFields(type) };
}

import 'reflect-metadata';

import { Type } from 'class-transformer';
import { ValidateBy, ValidateIf, ValidateNested } from 'class-validator';

import { type Issue, issue, tooFewIssue, tooManyIssue } from '../issues/issue.js';
import { isJsonObject } from '../json/index.js';

/** JSON Schema (2020-12), as OpenAPI 3.1 uses it. */
export type JsonSchema = Record<string, unknown>;

/** A schema that others refer to: that of a DTO class, or one that is given. */
export type SchemaPart = Class | { readonly name: string; readonly schema: JsonSchema };

/**
 * What a field must be. One rule serves three readers: class-validator (yes or no), {@link check} (which error, where)
 * and the OpenAPI document.
 */
export interface Rule {
  /** Name of the constraint in class-validator's errors. */
  name: string;
  /** Everything wrong with `value`; `loc` is relative to it. Empty: nothing. */
  issues(value: unknown): Issue[];
  schema: JsonSchema;
  /** What the schema refers to by `#/components/schemas/<name>`. */
  parts?: () => readonly SchemaPart[];
  /** The value to keep once there are no issues, for example a plain number. */
  coerce?(value: unknown): unknown;
}

export type Class<T extends object = object> = new () => T;

/** A field that holds another DTO, or a list of them. */
export interface Nesting {
  type: () => Class;
  isList: boolean;
}

/** The keys in class-validator's decorator context under which our own facts travel. */
const RULE = 'hone.rule';
const NESTED = 'hone.nested';
const UNLESS = 'hone.unless';

/** Makes a property decorator of a rule. */
export function fromRule(rule: Rule): PropertyDecorator {
  return ValidateBy(
    {
      name: rule.name,
      validator: {
        validate: (value) => rule.issues(value).length === 0,
        defaultMessage: (args) => rule.issues(args?.value)[0]?.msg ?? '',
      },
    },
    { context: { [RULE]: rule } },
  );
}

/** The rule behind a decorator's context, if {@link fromRule} made it. */
export const ruleOf = (context: unknown): Rule | undefined => (context as Record<string, Rule> | undefined)?.[RULE];

/** The field may be absent; `null` is as wrong as any other value. class-validator's `IsOptional` allows both. */
export const MayOmit = (): PropertyDecorator => (target, key) =>
  ValidateIf((object: Record<string | symbol, unknown>) => object[key] !== undefined)(target, key);

/** Another field may stand in for this one, which is required where all of those are absent or null. */
export const RequiredUnless =
  (...others: readonly string[]): PropertyDecorator =>
  (target, key) =>
    ValidateIf(
      (object: Record<string | symbol, unknown>) =>
        object[key] !== undefined || others.every((other) => (object[other] ?? null) === null),
      { context: { [UNLESS]: others } },
    )(target, key);

/** The fields that {@link RequiredUnless} names. */
export const unlessOf = (context: unknown): readonly string[] | undefined =>
  (context as Record<string, readonly string[]> | undefined)?.[UNLESS];

const OPEN = new WeakSet<object>();

/** Fields that a DTO class does not declare are ignored instead of refused. */
export const AcceptsUnknownFields = (): ClassDecorator => (type) => void OPEN.add(type);

export const acceptsUnknownFields = (type: Class): boolean => OPEN.has(type);

const OMITTABLE = new WeakSet<object>();

/** A body of this class may be absent: a request without one reads as an empty object. */
export const MayOmitBody = (): ClassDecorator => (type) => void OMITTABLE.add(type);

export const mayOmitBody = (type: Class): boolean => OMITTABLE.has(type);

/** The value is another DTO. */
export const Nested = (type: () => Class): PropertyDecorator => nest({ type, isList: false });

/** The value is a list of another DTO, of at least `min` and at most `max` elements. */
export const NestedList = (type: () => Class, max?: number, min?: number): PropertyDecorator =>
  nest({ type, isList: true }, max, min);

const listOf = (max = Infinity, min = 0): Rule => ({
  name: 'isList',
  issues(value) {
    if (!Array.isArray(value)) return [issue('list_type')];
    if (value.length < min) return [tooFewIssue(min)];
    return value.length > max ? [tooManyIssue(max)] : [];
  },
  schema: { ...(min > 0 && { minItems: min }), ...(max < Infinity && { maxItems: max }) },
});
const OBJECT: Rule = {
  name: 'isObject',
  issues: (value) => (isJsonObject(value) ? [] : [issue('dict_type')]),
  schema: {},
};

function nest(nesting: Nesting, max?: number, min?: number): PropertyDecorator {
  return (target, key) => {
    // class-validator's ValidateNested takes a list for an object, and an object for a list.
    fromRule(nesting.isList ? listOf(max, min) : OBJECT)(target, key);
    ValidateNested({ context: { [NESTED]: nesting } })(target, key);
    Type(nesting.type)(target, key as string);
  };
}

export const nestedOf = (context: unknown): Nesting | undefined =>
  (context as Record<string, Nesting> | undefined)?.[NESTED];

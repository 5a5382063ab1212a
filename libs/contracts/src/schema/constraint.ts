import type { Class, JsonSchema, SchemaPart } from '../validation/rule.js';

/** What a body must meet beyond what its fields say one by one. */
export interface Constraint {
  /** Keywords that the schema of the class gets, such as `allOf` or `if`. They refuse nothing that the service accepts. */
  schema: JsonSchema;
  /** What the keywords refer to. */
  parts?: () => readonly SchemaPart[];
}

const CONSTRAINTS = new WeakMap<object, Constraint>();

/** Documents rules over several fields of a class; what checks them is elsewhere. */
export const Constrained =
  (constraint: Constraint): ClassDecorator =>
  (type) => {
    CONSTRAINTS.set(type, constraint);
  };

export const constraintOf = (type: Class): Constraint | undefined => CONSTRAINTS.get(type);

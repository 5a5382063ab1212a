import type { Class } from '../validation/rule.js';

const EXAMPLES = new WeakMap<object, unknown>();

/** A body of this class as the documentation shows it. */
export const Example =
  (body: unknown): ClassDecorator =>
  (type) => {
    EXAMPLES.set(type, body);
  };

export const exampleOf = (type: Class): unknown => EXAMPLES.get(type);

import type { JsonSchema } from '../validation/rule.js';

/** Schema of a body with exactly one of two members that may be null. */
export const eitherOf = (one: string, other: string): JsonSchema => ({ oneOf: [alone(one, other), alone(other, one)] });

const alone = (name: string, other: string): JsonSchema => ({
  properties: {
    [name]: { description: 'It is given.', not: { type: 'null' } },
    [other]: { description: 'It is not given.', type: 'null' },
  },
  required: [name],
});

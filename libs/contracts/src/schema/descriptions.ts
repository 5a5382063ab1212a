import { ACCOUNTS } from '../descriptions/accounts.generated.js';
import { ERRORS } from '../descriptions/errors.generated.js';
import { EVALUATION } from '../descriptions/evaluation.generated.js';
import { INFERENCE } from '../descriptions/inference.generated.js';
import { TRACE } from '../descriptions/trace.generated.js';
import { TRAINING } from '../descriptions/training.generated.js';
import type { Class, JsonSchema } from '../validation/rule.js';

/** Name of a class or interface -> its doc comment, and those of its fields. */
const DESCRIPTIONS: Readonly<Record<string, readonly [string, Readonly<Record<string, string>>]>> = {
  ...ACCOUNTS,
  ...ERRORS,
  ...EVALUATION,
  ...INFERENCE,
  ...TRACE,
  ...TRAINING,
};

/** Where an OpenAPI document has the schema of a class, or another one that has a name. */
export const schemaRef = ({ name }: { readonly name: string }): JsonSchema => ({
  $ref: `#/components/schemas/${name}`,
});

/** The doc comment of a class or interface; empty when it has none. */
export const describeType = (name: string): string => DESCRIPTIONS[name]?.[0] ?? '';

/** The doc comment of a field, which a class above may have; empty when there is none. */
export function describeField(type: Class, field: string): string {
  for (let one = type; one.name; one = Object.getPrototypeOf(one) as Class) {
    const found = DESCRIPTIONS[one.name]?.[1][field];
    if (found !== undefined) return found;
  }
  return '';
}

/** The properties of an inline schema, described by the doc comments of the interface that they are of. */
export const describedProperties = (
  interfaceName: string,
  properties: Readonly<Record<string, object>>,
): Record<string, object> =>
  Object.fromEntries(
    Object.entries(properties).map(([field, schema]) => {
      const description = DESCRIPTIONS[interfaceName]?.[1][field];
      return [field, description === undefined ? schema : { description, ...schema }];
    }),
  );

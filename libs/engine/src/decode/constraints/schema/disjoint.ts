import { typesOf } from './json-types.js';
import type { SchemaNode } from './schema-node.js';

/** True when it is plain that no value fits both: other types, other constants, or a required member with distinct constants. */
export function areDisjoint(a: SchemaNode, b: SchemaNode): boolean {
  const [typesA, typesB] = [typesOf(a), typesOf(b)];
  if (typesA !== null && typesB !== null) {
    const numeric = (types: readonly string[]) => types.map((type) => (type === 'integer' ? 'number' : type));
    const shared = numeric(typesA).filter((type) => numeric(typesB).includes(type));
    // A stated type binds every value; one that keywords imply is all that is generated, but not all that is valid.
    if (shared.length === 0 && a.has('type') && b.has('type')) return true;
  }
  const [constantsA, constantsB] = [constantsOf(a), constantsOf(b)];
  if (constantsA !== null && constantsB !== null) return !constantsA.some((value) => constantsB.includes(value));
  return haveTellingMember(a, b);
}

function haveTellingMember(a: SchemaNode, b: SchemaNode): boolean {
  if (a.values['type'] !== 'object' || b.values['type'] !== 'object') return false;
  const required = a.strings('required').filter((name) => b.strings('required').includes(name));
  return required.some((name) => {
    if (!Object.hasOwn(a.record('properties'), name) || !Object.hasOwn(b.record('properties'), name)) return false;
    const [own, other] = [constantsOf(a.child('properties', name)), constantsOf(b.child('properties', name))];
    return own !== null && other !== null && !own.some((value) => other.includes(value));
  });
}

/** The only values that a schema allows, as JSON; null when they are not listed. */
function constantsOf(schema: SchemaNode): string[] | null {
  if (schema.has('const')) return [JSON.stringify(schema.values['const'])];
  return schema.has('enum') ? schema.list('enum').map((value) => JSON.stringify(value)) : null;
}

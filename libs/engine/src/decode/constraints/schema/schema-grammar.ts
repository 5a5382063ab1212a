import { ConstraintInvalidError, ConstraintTooLargeError, ConstraintUnsupportedError } from '../constraint.errors.js';
import { EMPTY, oneOf, repeat, type Rules, sequence } from '../grammar/ebnf.js';
import { constantValue, type JsonValues } from '../grammar/json-values.js';
import { areDisjoint } from './disjoint.js';
import { ALL_TYPE_KEYWORDS, isOfType, type JsonType, typesOf } from './json-types.js';
import { objectGrammar } from './object-grammar.js';
import { integerGrammar, numberGrammar, stringGrammar } from './scalar-grammar.js';
import { SchemaNode } from './schema-node.js';

const MAX_DEPTH = 64;
const MAX_ITEMS = 10_000;

/**
 * Translates JSON Schema (2020-12) into a grammar whose texts are all valid. Keywords that cannot be enforced are
 * refused by name. The grammar may allow less than the schema: declared members in their order, and others only with
 * an explicit `additionalProperties`.
 */
export class SchemaGrammar {
  private depth = 0;
  /** References that are being resolved before any character was written: they detect left recursion. */
  private unguarded = new Set<string>();
  private readonly targets = new Map<string, string>();

  constructor(
    private readonly root: unknown,
    private readonly values: JsonValues,
    private readonly onlyDeclared: boolean,
  ) {}

  private get rules(): Rules {
    return this.values.rules;
  }

  /** An expression for values of the whole schema. */
  translate(): string {
    return this.follow('#', SchemaNode.of(this.root, ''));
  }

  private value(schema: SchemaNode): string {
    if (++this.depth > MAX_DEPTH)
      throw new ConstraintTooLargeError(`The schema is nested deeper than ${MAX_DEPTH} levels.`);
    const grammar = this.dispatch(schema);
    this.depth -= 1;
    return grammar;
  }

  private dispatch(schema: SchemaNode): string {
    if (schema.has('$ref')) return this.reference(schema);
    if (schema.has('const')) return this.constants(schema, 'const', [schema.values['const']]);
    if (schema.has('enum')) return this.constants(schema, 'enum', schema.list('enum'));
    if (schema.has('anyOf')) return this.alternatives(schema, 'anyOf');
    if (schema.has('oneOf')) return this.disjointAlternatives(schema);
    if (schema.has('allOf')) return this.onlyOne(schema);
    schema.allowOnly(['type', ...ALL_TYPE_KEYWORDS]);
    const types = typesOf(schema);
    if (types === null) return this.values.any;
    return oneOf(types.map((type) => this.ofType(schema, type)));
  }

  private ofType(schema: SchemaNode, type: JsonType): string {
    switch (type) {
      case 'string':
        return stringGrammar(schema, this.values);
      case 'integer':
        return integerGrammar(schema, this.values);
      case 'number':
        return numberGrammar(schema, this.values);
      case 'boolean':
        return this.values.boolean;
      case 'null':
        return this.values.null;
      case 'array':
        return this.array(schema);
      case 'object':
        return this.object(schema);
    }
  }

  private constants(schema: SchemaNode, keyword: string, values: readonly unknown[]): string {
    schema.allowOnly([keyword, 'type'], ` beside "${keyword}"`);
    const types = schema.has('type') ? typesOf(schema) : null;
    const kept = values.filter((value) => types === null || types.some((type) => isOfType(value, type)));
    if (kept.length === 0) throw new ConstraintInvalidError(schema.pointer, `No value of "${keyword}" has the type.`);
    return oneOf(kept.map(constantValue));
  }

  private alternatives(schema: SchemaNode, keyword: string): string {
    schema.allowOnly([keyword], ` beside "${keyword}"`, keyword);
    return oneOf(schema.list(keyword).map((_, index) => this.value(schema.child(keyword, index))));
  }

  private disjointAlternatives(schema: SchemaNode): string {
    const options = schema.list('oneOf').map((_, index) => this.resolved(schema.child('oneOf', index)));
    const overlap = options.some((a, index) => options.slice(index + 1).some((b) => !areDisjoint(a, b)));
    if (overlap) {
      const what =
        '"oneOf" is supported where its schemas plainly exclude each other, by type, constants or a required constant member; else use "anyOf".';
      throw new ConstraintUnsupportedError(schema.pointer, what).at(schema.at('oneOf'));
    }
    return this.alternatives(schema, 'oneOf');
  }

  private onlyOne(schema: SchemaNode): string {
    schema.allowOnly(['allOf'], ' beside "allOf"', 'allOf');
    if (schema.list('allOf').length === 1) return this.value(schema.child('allOf', 0));
    const what = '"allOf" with more than one schema is not supported.';
    throw new ConstraintUnsupportedError(schema.pointer, what).at(schema.at('allOf'));
  }

  private array(schema: SchemaNode): string {
    const { values } = this;
    const [min, max] = [schema.count('minItems') ?? 0, schema.count('maxItems')];
    if (Math.max(min, max ?? 0) > MAX_ITEMS) {
      const what = `${schema.pointer}: more than ${MAX_ITEMS} items are not counted.`;
      throw new ConstraintTooLargeError(what).at(schema.at(min > MAX_ITEMS ? 'minItems' : 'maxItems'));
    }
    const isClosed = schema.values['items'] === false;
    const prefix = schema.has('prefixItems') ? schema.list('prefixItems') : [];
    const count = Math.min(prefix.length, max ?? Infinity);
    if ((max !== null && max < min) || (isClosed && min > prefix.length)) {
      throw new ConstraintInvalidError(schema.pointer, 'No array has a length within the limits.');
    }
    const inPlace = prefix
      .slice(0, count)
      .map((_, index) => this.nested(() => this.value(schema.child('prefixItems', index))));
    const mayFollow = !isClosed && (max === null || max > count);
    const item = mayFollow ? this.item(schema) : EMPTY;
    if (count === 0) return mayFollow ? values.arrayOf(item, min, max) : values.braced('[', EMPTY, ']');
    return this.tuple(inPlace, item, min, mayFollow ? (max ?? Infinity) - count : 0);
  }

  private item(schema: SchemaNode): string {
    return this.rules.add(
      'item',
      this.nested(() => (schema.has('items') ? this.value(schema.child('items')) : this.values.any)),
    );
  }

  /** Items by position, then up to `more` of another kind; the first `min` are required. */
  private tuple(inPlace: readonly string[], item: string, min: number, more: number): string {
    const { values } = this;
    const further = Math.max(0, min - inPlace.length);
    const next = sequence(values.comma, item);
    let following = more === 0 ? EMPTY : repeat(next, further, Number.isFinite(more) ? more : null);
    for (let index = inPlace.length - 1; index > 0; index -= 1) {
      const then = sequence(values.comma, inPlace[index] as string, following);
      following = this.rules.add('items', index < min ? then : oneOf([then, EMPTY]));
    }
    const filled = values.braced('[', sequence(inPlace[0] as string, following), ']');
    return min === 0 ? oneOf([values.braced('[', EMPTY, ']'), filled]) : filled;
  }

  private object(schema: SchemaNode): string {
    const properties = schema.record('properties');
    const required = schema.strings('required');
    const additional = this.onlyDeclared ? false : schema.values['additionalProperties'];
    if (!schema.has('properties') && required.length === 0 && (additional === undefined || additional === true)) {
      return this.values.object;
    }
    const undeclared = required.filter((name) => !Object.hasOwn(properties, name));
    if (undeclared.length > 0 && additional === false) {
      throw new ConstraintInvalidError(
        schema.pointer,
        `${JSON.stringify(undeclared[0])} is required, but not allowed.`,
      );
    }
    const other = () =>
      typeof additional === 'object' ? this.value(schema.child('additionalProperties')) : this.values.any;
    const members = [...Object.keys(properties), ...new Set(undeclared)].map((name) => ({
      name,
      isRequired: required.includes(name),
      value: this.rules.add(
        'value',
        this.nested(() => (Object.hasOwn(properties, name) ? this.value(schema.child('properties', name)) : other())),
      ),
    }));
    const isOpen = additional === true || (typeof additional === 'object' && additional !== null);
    return objectGrammar(this.values, members, isOpen ? this.rules.add('value', this.nested(other)) : null);
  }

  private reference(schema: SchemaNode): string {
    schema.allowOnly(['$ref'], ' beside "$ref"');
    const { $ref } = schema.values;
    if (typeof $ref !== 'string') return schema.invalid('$ref', 'is a string');
    return this.follow($ref, this.target(schema, $ref));
  }

  /** A rule per target: a schema that refers to itself is a rule that refers to itself. */
  private follow(ref: string, target: SchemaNode): string {
    const { unguarded } = this;
    if (unguarded.has(ref)) {
      throw new ConstraintInvalidError(target.pointer, `The reference ${JSON.stringify(ref)} leads only to itself.`);
    }
    const known = this.targets.get(ref);
    if (known !== undefined) return known;
    const name = `ref_${this.targets.size}`;
    this.targets.set(ref, name);
    return this.rules.define(name, () => {
      unguarded.add(ref);
      const body = this.value(target);
      unguarded.delete(ref);
      return body;
    });
  }

  /** Calls `make` for an expression inside brackets, where a reference may recurse. */
  private nested(make: () => string): string {
    const outer = this.unguarded;
    this.unguarded = new Set();
    const made = make();
    this.unguarded = outer;
    return made;
  }

  private resolved(schema: SchemaNode): SchemaNode {
    const seen = new Set<string>();
    let current = schema;
    for (let ref = current.values['$ref']; typeof ref === 'string' && !seen.has(ref); ref = current.values['$ref']) {
      seen.add(ref);
      current = this.target(current, ref);
    }
    return current;
  }

  private target(schema: SchemaNode, ref: string): SchemaNode {
    if (ref === '#') return SchemaNode.of(this.root, '');
    if (!ref.startsWith('#/')) {
      throw new ConstraintUnsupportedError(
        schema.pointer,
        `The reference ${JSON.stringify(ref)} is not supported, only "#" and "#/...".`,
      ).at(schema.at('$ref'));
    }
    let value: unknown = this.root;
    for (const step of decodeURIComponent(ref.slice(2)).split('/')) {
      const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) {
        throw new ConstraintInvalidError(schema.pointer, `The reference ${JSON.stringify(ref)} leads nowhere.`);
      }
      value = (value as Record<string, unknown>)[key];
    }
    return SchemaNode.of(value, ref.slice(1));
  }
}

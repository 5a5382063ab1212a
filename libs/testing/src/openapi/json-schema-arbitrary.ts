import fc from 'fast-check';

/** A schema of an OpenAPI 3.1 document. */
export type Schema = Readonly<Record<string, unknown>>;

const MAX_DEPTH = 5;
/** Longest list and text that is drawn in full: longer limits are left to other specs. */
const MAX_ITEMS = 3;
const MAX_TEXT = 2_000;
/** The first and the last time that there are, one before, and one between. */
const TIMES = ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '0000-12-31T00:00:00Z', '2026-01-15T10:00:00Z'];
const TEXTS = ['a', 'x y', 'été', '日本', '1', '12', '0', 'true', ...TIMES, 'a.b', '😀'];

/**
 * Values that are mostly valid by a schema. `allOf`, `if`, `not` and `oneOf` narrow nothing here: whoever draws asks a
 * validator what a value is.
 */
export class JsonSchemaArbitrary {
  /** @param components `components.schemas` of the document */
  constructor(private readonly components: Readonly<Record<string, Schema>>) {}

  of(schema: Schema, depth = 0): fc.Arbitrary<unknown> {
    const resolved = this.resolve(schema);
    const { enum: words, anyOf, oneOf, examples } = resolved as Record<string, readonly unknown[] | undefined>;
    if ('const' in resolved) return fc.constant(resolved['const']);
    if (words) return fc.constantFrom(...words);
    const plain = this.plain(resolved, anyOf ?? oneOf, depth);
    return examples
      ? fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...examples) }, { weight: 3, arbitrary: plain })
      : plain;
  }

  private resolve(schema: Schema): Schema {
    const { $ref, ...rest } = schema;
    if (typeof $ref !== 'string') return schema;
    return { ...this.resolve(this.components[$ref.split('/').at(-1) as string] as Schema), ...rest };
  }

  private plain(schema: Schema, alternatives: readonly unknown[] | undefined, depth: number): fc.Arbitrary<unknown> {
    const { type } = schema;
    if (alternatives && (type === undefined || type === 'object')) {
      const { anyOf: _any, oneOf: _one, ...base } = schema;
      const drawn = (alternatives as Schema[])
        .filter((one) => !('not' in one))
        .map((one) => this.of(merged(base, one), depth));
      return fc.oneof(...drawn);
    }
    const types = [type ?? (schema['properties'] ? 'object' : 'any')].flat() as string[];
    return fc.oneof(...types.map((one) => this.ofType(one, schema, depth)));
  }

  private ofType(type: string, schema: Schema, depth: number): fc.Arbitrary<unknown> {
    switch (type) {
      case 'null':
        return fc.constant(null);
      case 'boolean':
        return fc.boolean();
      case 'integer':
        return numbers(schema, fc.integer({ min: -1_000, max: 1_000 }));
      case 'number':
        return numbers(schema, fc.double({ min: -10, max: 10, noNaN: true }).map(plainZero));
      case 'string':
        return texts(schema);
      case 'array':
        return this.list(schema, depth);
      case 'object':
        return this.object(schema, depth);
      default:
        return fc.constantFrom<unknown>(null, 'x', 0, true, [], {}, { a: [1, { b: null }] });
    }
  }

  private list(schema: Schema, depth: number): fc.Arbitrary<unknown> {
    const {
      items,
      prefixItems,
      minItems = 0,
    } = schema as { items?: Schema; prefixItems?: Schema[]; minItems?: number };
    if (prefixItems) return fc.tuple(...prefixItems.map((item) => this.of(item, depth + 1)));
    const maxLength = depth >= MAX_DEPTH ? minItems : Math.min((schema['maxItems'] as number) ?? MAX_ITEMS, MAX_ITEMS);
    return fc.array(this.of(items ?? {}, depth + 1), { minLength: minItems, maxLength: Math.max(minItems, maxLength) });
  }

  private object(schema: Schema, depth: number): fc.Arbitrary<unknown> {
    const {
      properties = {},
      required = [],
      additionalProperties,
      propertyNames,
      minProperties = 0,
    } = schema as {
      properties?: Record<string, Schema>;
      required?: string[];
      additionalProperties?: Schema | boolean;
      propertyNames?: Schema;
      minProperties?: number;
    };
    const names = Object.keys(properties);
    if (minProperties === 1 && schema['maxProperties'] === 1) {
      const some = depth >= MAX_DEPTH ? names.filter((name) => name.startsWith('$get') || name === '$literal') : names;
      // One operator is drawn before its operands: an expression has far more forms than could be listed.
      return fc
        .constantFrom(...some)
        .chain((name) => this.of(properties[name] as Schema, depth + 1).map((value) => ({ [name]: value })));
    }
    const optional = depth >= MAX_DEPTH ? 0 : Math.min(3, 30 / Math.max(names.length, 1));
    const fields = names.map((name) => {
      const field = this.of(properties[name] as Schema, depth + 1).map((value) => [name, value] as const);
      if (required.includes(name)) return field;
      return fc.oneof(
        { weight: 10, arbitrary: fc.constant(null) },
        { weight: Math.max(1, Math.round(optional)), arbitrary: field },
      );
    });
    const more =
      typeof additionalProperties === 'object' || propertyNames
        ? fc.array(
            fc.tuple(
              texts(propertyNames ?? {}),
              this.of(typeof additionalProperties === 'object' ? additionalProperties : {}, depth + 1),
            ),
            {
              maxLength: 2,
            },
          )
        : fc.constant([]);
    return fc
      .tuple(fc.tuple(...fields), more)
      .map(([known, free]) => Object.fromEntries([...free, ...known.filter((field) => field !== null)]));
  }
}

/** The keywords of two schemas; properties of both, the alternative's with those of the base beneath. */
function merged(base: Schema, one: Schema): Schema {
  const properties = { ...(base['properties'] as object) } as Record<string, Schema>;
  for (const [name, schema] of Object.entries((one['properties'] ?? {}) as Record<string, Schema>)) {
    properties[name] = { ...properties[name], ...schema };
  }
  const required = [...((base['required'] ?? []) as string[]), ...((one['required'] ?? []) as string[])];
  return {
    ...base,
    ...one,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

const plainZero = (value: number): number => (value === 0 ? 0 : value);

/** The limits themselves, and numbers between them. */
function numbers(schema: Schema, any: fc.Arbitrary<number>): fc.Arbitrary<number> {
  const {
    minimum = -Infinity,
    maximum = Infinity,
    exclusiveMinimum = -Infinity,
  } = schema as Record<string, number | undefined>;
  const isRight = (value: number) => value >= minimum && value <= maximum && value > exclusiveMinimum;
  const edges = [minimum, maximum, 0, 1, 2, 100].filter((value) => Number.isFinite(value) && isRight(value));
  return fc.oneof(
    fc.constantFrom(...edges),
    any.map((value) => (isRight(value) ? value : (edges[0] as number))),
  );
}

/**
 * Texts of the pattern and the length; a length counts code points. No unpaired surrogates: UTF-8 cannot hold them, and
 * JSON Schema does not speak of them.
 */
function texts(schema: Schema): fc.Arbitrary<string> {
  const {
    pattern,
    minLength = 0,
    maxLength = MAX_TEXT,
    examples = [],
  } = schema as {
    pattern?: string;
    minLength?: number;
    maxLength?: number;
    examples?: string[];
  };
  const shape = new RegExp(pattern ?? '', 'u');
  const isRight = (text: string) =>
    text.isWellFormed() && shape.test(text) && [...text].length >= minLength && [...text].length <= maxLength;
  const longest = ['😀', 'x'].map((character) => character.repeat(Math.min(maxLength, MAX_TEXT)));
  const known = [...examples, ...TEXTS, ...(maxLength < MAX_TEXT ? longest : [])].filter(isRight);
  const any = fc.string({ unit: 'binary', minLength: Math.min(minLength, 5), maxLength: Math.min(maxLength, 10) });
  if (known.length === 0) throw new Error(`A schema with the pattern ${pattern} needs an example`);
  return fc.oneof(
    fc.constantFrom(...known),
    any.map((text) => (isRight(text) ? text : (known[0] as string))),
  );
}

import { toGrammar } from '../decode/constraints/source-grammar.js';
import { ConstraintProbe } from './constraint-probe.js';
import { enforceablePlan } from './enforceable-plan.js';
import { planTools } from './tool-calls/tool-plan.js';

const FORM = { marker: '<call>', begin: [1], open: [], argumentsKey: 'arguments', after: [], close: [], next: null };

/** A probe of the engine's own translation. */
const probe = new ConstraintProbe(async function* ({ constraint }) {
  await Promise.resolve();
  toGrammar(constraint!);
  yield* [];
});

/** What is left of the parameters of a tool, and what was left out. */
async function enforceable(parameters: Record<string, unknown>, strict: boolean | null = null) {
  const tools = [{ type: 'function' as const, function: { name: 'f', parameters, strict } }];
  const plan = planTools({ model: 'm', messages: [], tools }, FORM)!;
  const made = await enforceablePlan(plan, probe, 0);
  if ('reason' in made) return made;
  const { schema } = made.plan.call as { schema: { anyOf: { properties: { arguments: Record<string, unknown> } }[] } };
  const { type: _type, ...kept } = schema.anyOf[0]!.properties.arguments;
  return { kept, leftOut: made.leftOut.map(({ pointer }) => pointer) };
}

const WHOLE = { type: 'integer' };
const TEXT = { type: 'string' };
const a = (schema: object) => ({ properties: { a: schema } });

describe('enforceablePlan', () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>, string[]]>([
    ['nothing', a(WHOLE), a(WHOLE), []],
    ['a format', a({ ...TEXT, format: 'uri' }), a(TEXT), ['/properties/a/format']],
    ['a pattern of another language', a({ ...TEXT, pattern: '(?P<x>a)' }), a(TEXT), ['/properties/a/pattern']],
    ['a look-ahead', a({ ...TEXT, pattern: '(?=a)b' }), a(TEXT), ['/properties/a/pattern']],
    [
      'a length beside a pattern',
      a({ ...TEXT, pattern: '^a', maxLength: 3 }),
      a({ ...TEXT, pattern: '^a' }),
      ['/properties/a/maxLength'],
    ],
    ['a long length', a({ ...TEXT, maxLength: 1e6 }), a(TEXT), ['/properties/a/maxLength']],
    ['many items', a({ type: 'array', maxItems: 1e6 }), a({ type: 'array' }), ['/properties/a/maxItems']],
    ['a limit within a digit', a({ type: 'number', minimum: 0.5 }), a({ type: 'number' }), ['/properties/a/minimum']],
    ['a dialect', { $id: 'x', ...a({ $id: 'y', ...WHOLE }) }, a(WHOLE), ['/$id', '/properties/a/$id']],
    [
      'overlap',
      a({ oneOf: [WHOLE, { type: 'number' }] }),
      a({ anyOf: [WHOLE, { type: 'number' }] }),
      ['/properties/a/oneOf'],
    ],
    ['several schemas', a({ allOf: [WHOLE, { maximum: 3 }] }), a({}), ['/properties/a/allOf']],
    [
      'alternatives beside properties',
      { ...a(WHOLE), anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      a(WHOLE),
      ['/anyOf'],
    ],
    [
      'a type beside alternatives',
      a({ type: 'integer', anyOf: [WHOLE] }),
      a({ anyOf: [WHOLE] }),
      ['/properties/a/type'],
    ],
    [
      'a name with a slash',
      { properties: { 'a/~b': { not: {} } } },
      { properties: { 'a/~b': {} } },
      ['/properties/a~1~0b/not'],
    ],
    ['several', a({ ...TEXT, format: 'uri', not: {} }), a(TEXT), ['/properties/a/not', '/properties/a/format']],
    [
      'what a reference leads to',
      { ...a({ $ref: '#/$defs/x' }), $defs: { x: { ...TEXT, format: 'uri' } } },
      { properties: { a: { $ref: '#/anyOf/0/properties/arguments/$defs/x' } }, $defs: { x: TEXT } },
      ['/$defs/x/format'],
    ],
    [
      'items by position',
      a({ type: 'array', prefixItems: [WHOLE, { not: {} }] }),
      a({ type: 'array', prefixItems: [WHOLE, {}] }),
      ['/properties/a/prefixItems/1/not'],
    ],
  ])('leaves out %s', async (_, parameters, kept, leftOut) => {
    expect(await enforceable(parameters)).toEqual({ kept, leftOut });
  });

  it('refuses the same of a strict tool', async () => {
    const refused = { tool: 0, reason: expect.stringContaining('/properties/a: The format "uri" is not supported') };
    expect(await enforceable(a({ ...TEXT, format: 'uri' }), true)).toEqual(refused);
  });

  it.each([
    ['no value', a({ enum: [] })],
    ['a reference to nothing', a({ $ref: '#/x' })],
    ['limits that leave nothing', a({ ...WHOLE, minimum: 2, maximum: 1 })],
  ])('refuses %s', async (_, parameters) => {
    expect(await enforceable(parameters)).toEqual({ tool: 0, reason: expect.stringMatching(/./) });
  });

  it('leaves out so many keywords at most', async () => {
    const properties = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`p${at}`, { not: {} }]));
    expect(await enforceable({ properties })).toEqual({ tool: 0, reason: expect.stringContaining('"not"') });
  });
});

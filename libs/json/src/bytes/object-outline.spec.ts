import fc from 'fast-check';

import { ObjectOutline } from './object-outline.js';

// The same draws each time.
fc.configureGlobal({ seed: 1 });

const OPTIONS = {
  members: new Set(['id', 'list', 'note']),
  list: 'list',
  itemMembers: new Set(['name', 'end']),
  maxItems: 4,
};

/** Reads a document in parts; null: it is refused. */
function outline(document: Buffer, cuts: readonly number[] = []) {
  const read = new ObjectOutline(OPTIONS);
  const at = [0, ...[...cuts].sort((left, right) => left - right), document.length];
  const isValid = at.slice(1).every((end, index) => read.push(document.subarray(at[index], end)));
  return isValid && read.isWhole ? read : null;
}

function valuesOf(document: Buffer, cuts?: readonly number[]) {
  const read = outline(document, cuts);
  if (read === null) return null;
  const values = (members: ReadonlyMap<string, { start: number; end: number }>) =>
    Object.fromEntries(
      [...members].map(([key, { start, end }]) => [key, JSON.parse(document.toString('utf8', start, end))]),
    );
  return { members: values(read.members), items: read.items.map((item) => item && values(item)) };
}

const pick = (value: unknown, keys: ReadonlySet<string>) =>
  Object.fromEntries(Object.entries(value as object).filter(([key]) => keys.has(key)));
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

describe('ObjectOutline', () => {
  it('finds members of the document and of the items of its list, in whatever parts it arrives', () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    const item = fc.oneof(value, fc.record({ name: value, end: value, x: value }, { requiredKeys: [] }));
    const document = fc.record({
      id: value,
      list: fc.oneof(value, fc.array(item, { maxLength: 4 })),
      note: value,
      y: value,
    });
    fc.assert(
      fc.property(document, fc.array(fc.nat(400), { maxLength: 8 }), fc.constantFrom(0, 1), (json, cuts, space) => {
        const bytes = Buffer.from(JSON.stringify(json, null, space));
        const items = Array.isArray(json.list) ? (json.list as unknown[]).slice(0, OPTIONS.maxItems) : [];
        expect(
          valuesOf(
            bytes,
            cuts.filter((cut) => cut < bytes.length),
          ),
        ).toEqual({
          members: pick(JSON.parse(JSON.stringify(json)), OPTIONS.members),
          items: items.map((one) =>
            isObject(one) ? pick(JSON.parse(JSON.stringify(one)), OPTIONS.itemMembers) : null,
          ),
        });
      }),
      { numRuns: 300 },
    );
  });

  it('accepts exactly what a JSON parser accepts', () => {
    const base = Buffer.from(
      '{"id":[-1.5e+3,0,true,null,"a\\u00e9\\n"],"list":[{"name":{"x":[]},"end":false}],"z":{}}',
    );
    const noise = Buffer.from('{}[],:"\\0-+.eE1tfn u');
    fc.assert(
      fc.property(fc.nat(base.length - 1), fc.nat(noise.length - 1), fc.nat(2), (at, with_, how) => {
        const middle = how === 0 ? Buffer.alloc(0) : noise.subarray(with_, with_ + 1);
        const bytes = Buffer.concat([base.subarray(0, at), middle, base.subarray(how === 2 ? at : at + 1)]);
        let isValid = true;
        try {
          JSON.parse(bytes.toString());
        } catch {
          isValid = false;
        }
        expect([bytes.toString(), outline(bytes) !== null]).toEqual([bytes.toString(), isValid]);
      }),
      { numRuns: 4_000 },
    );
  });

  it.each(['[1]', '5', '"x"', '', '{', '{"a":1}}', '{"a":1} x', `{"a":${'['.repeat(1_001)}`])(
    'refuses %.20s',
    (text) => {
      expect(outline(Buffer.from(text))).toBeNull();
    },
  );

  it('reads keys with escapes, and of a duplicate key the last value', () => {
    const bytes = Buffer.from('{"list":[{"name":1}],"l\\u0069st":[{"n\\u0061me":2,"name":3}],"id":1,"id":2}');
    expect(valuesOf(bytes)).toEqual({
      members: { list: [{ name: 3 }], id: 2 },
      items: [{ name: 3 }],
    });
  });
});

import fc from 'fast-check';

import { anyJson } from '../values/json-value.fixture.js';
import { isJsonObject, type JsonValue, setKey } from '../values/json-value.js';
import { stringifyJson } from '../values/stringify-json.js';
import { JsonRewriter, type JsonScope } from './json-rewriter.js';

// The same draws each time.
fc.configureGlobal({ seed: 1 });

const ROOT: JsonScope = { isObject: false };

/** Puts a mark before each key, and another one before each string that is a value. */
class Marker extends JsonRewriter<JsonScope> {
  constructor(
    private readonly ofKeys: string,
    private readonly ofStrings: string,
  ) {
    super(() => ROOT);
  }

  protected override open(isObject: boolean): JsonScope {
    return { isObject };
  }
  protected override close(): void {}
  protected override nextMember(): void {}

  protected override key(_source: Buffer, at: number): number {
    this.replace(at + 1, at + 1, Buffer.from(this.ofKeys));
    return this.skipString(at);
  }

  /** Waits until the first byte of the string is there. */
  protected override string(source: Buffer, at: number, isLast: boolean): number | undefined {
    if (at + 1 === source.length && !isLast) return undefined;
    this.replace(at + 1, at + 1, Buffer.from(this.ofStrings));
    return this.skipString(at);
  }
}

/** The JSON with its marks, when it is read in pieces that end at the cuts. */
function marked(json: Buffer, cuts: readonly number[], ofKeys: string, ofStrings: string): Buffer {
  const marker = new Marker(ofKeys, ofStrings);
  const ends = [...cuts.filter((cut) => cut < json.length).sort((a, b) => a - b), json.length];
  const out = ends.map((end, index) => marker.push(json.subarray(ends[index - 1] ?? 0, end)));
  return Buffer.concat([...out, marker.end()]);
}

function withMarks(value: JsonValue): JsonValue {
  if (typeof value === 'string') return `s${value}`;
  if (Array.isArray(value)) return value.map(withMarks);
  if (!isJsonObject(value)) return value;
  const copy = {};
  for (const [key, member] of Object.entries(value)) setKey(copy, `k${key}`, withMarks(member));
  return copy as JsonValue;
}

const cuts = fc.array(fc.nat(200), { maxLength: 10 });

describe('JsonRewriter', () => {
  it('knows keys from strings in any JSON, wherever its pieces end', () => {
    fc.assert(
      fc.property(fc.array(anyJson, { maxLength: 3 }), cuts, (values, at) => {
        const lines = (some: readonly JsonValue[]) => some.map((value) => stringifyJson(value)).join('\n');
        const json = Buffer.from(lines(values));
        expect(marked(json, at, 'k', 's').toString()).toBe(lines(values.map(withMarks)));
      }),
      { numRuns: 1_000 },
    );
  });

  it('leaves all bytes as they are where nothing is replaced, JSON or not', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.array(fc.constantFrom(...Buffer.from('{}[]:,"\\a')), { maxLength: 200 }).map((list) => Uint8Array.from(list)),
    );
    fc.assert(
      fc.property(bytes, cuts, (some, at) => {
        const json = Buffer.from(some);
        expect(marked(json, at, '', '').equals(json)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});

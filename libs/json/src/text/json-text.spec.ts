import fc from 'fast-check';

import { parseJson } from '../parse/parse-json.js';
import { JsonText, JsonTextError } from './json-text.js';

// The same draws each time.
fc.configureGlobal({ seed: 1 });

/** The value as the index sees it, member by member. */
function toValue(json: JsonText, at = json.root): unknown {
  const kind = json.kindAt(at);
  if (kind === 'text') return json.textAt(at);
  if (kind === 'other') return parseJson(json.sourceAt(at));
  const members = json.membersAt(at).map((one) => [one.key, toValue(json, one.at)] as const);
  return kind === 'array' ? members.map(([, value]) => value) : Object.fromEntries(members);
}

const withBlanks = (value: unknown) => `\n ${JSON.stringify(value, null, '\t')}\r\n`;

describe('JSON that is not parsed', () => {
  it('has the members that parsing it finds, whatever its blanks', () => {
    const anyValue = fc.jsonValue({ maxDepth: 5, noUnicodeString: false } as never);
    fc.assert(
      fc.property(anyValue, fc.constantFrom(JSON.stringify, withBlanks), (value, write) => {
        expect(toValue(new JsonText(write(value)))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('has keys and texts as they are meant, escapes and hostile names included', () => {
    const text = '{"__proto__":{"constructor":"\\"\\\\"},"\\u0061\\"}":[ ],"ends in \\\\":"{","مرحبا":-1.50e3}';
    const json = new JsonText(text);
    expect(json.membersAt(json.root).map(({ key }) => key)).toEqual(['__proto__', 'a"}', 'ends in \\', 'مرحبا']);
    expect(json.sourceAt(json.memberAt(json.root, 'مرحبا') as number)).toBe('-1.50e3');
    expect(json.memberAt(json.root, 'toString')).toBeUndefined();
    expect(toValue(json, json.memberAt(json.root, '__proto__'))).toEqual({ constructor: '"\\' });
  });

  it('is read in pages', () => {
    const json = new JsonText(JSON.stringify(Array.from({ length: 100_000 }, (_, index) => ({ index }))));
    expect(json.countAt(json.root)).toBe(100_000);
    const [first, ...rest] = json.membersAt(json.root, 99_998, 200_000);
    expect([first?.key, rest.length]).toEqual(['99998', 1]);
    expect(json.sourceAt(first?.at ?? 0)).toBe('{"index":99998}');
  });

  it('keeps both of two equal keys, and means the last by its name', () => {
    const json = new JsonText('{"a":1,"a":2}');
    expect(json.countAt(json.root)).toBe(2);
    expect(json.sourceAt(json.memberAt(json.root, 'a') as number)).toBe('2');
  });

  it('is as deep as it likes', () => {
    const json = new JsonText('['.repeat(100_000) + ']'.repeat(100_000));
    expect(json.endOf(json.root)).toBe(200_000);
    expect(json.countAt(json.root)).toBe(1);
  });

  it.each(['', '{', '[1', '[1,', '{"a"}', '{"a":', '"abc', '"abc\\"', '[1 2]', '<html>', '{"a":{"b":[1,2'])(
    'says where %j was cut',
    (text) => {
      const json = new JsonText(text);
      const read = () => (toValue(json), json.endOf(json.root));
      expect(read).toThrow(JsonTextError);
    },
  );
});

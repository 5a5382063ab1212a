import fc from 'fast-check';

import { WrittenCall } from './written-call.js';

/** What is read of a call that comes in these pieces. */
function read(pieces: readonly string[]) {
  const call = new WrittenCall();
  const parts = pieces.map((piece) => call.push(piece));
  return { name: call.name, parts, isWhole: call.isWhole };
}

const inPieces = (text: string, size: number) =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));

describe('WrittenCall', () => {
  it('returns the arguments as they are written', () => {
    const pieces = ['{"na', 'me": "f", "argu', 'ments"', ': ', '{"a"', ': "}', '\\""', '}', '}'];
    expect(read(pieces)).toEqual({
      name: 'f',
      parts: ['', '', '', '', '{"a"', ': "}', '\\""', '}', ''],
      isWhole: true,
    });
  });

  it.each(['{"a": 1}', '{"a": {"b": ["}"]}}', '[{}]', '"x } \\" y"', '12', 'null', '{}'])(
    'finds the end of %s, letter by letter and at once',
    (args) => {
      for (const text of [`{"name":"f","arguments":${args}}`, ` {"name": "f", "parameters":  ${args} }\n`]) {
        for (const size of [1, text.length]) {
          const { parts, ...call } = read(inPieces(text, size));
          expect(call).toEqual({ name: 'f', isWhole: true });
          expect(parts.join('')).toBe(args);
        }
      }
    },
  );

  it('is not whole before its last bracket', () => {
    const text = '{"name": "f", "arguments": {"a": 1}}';
    for (let end = 0; end < text.length; end += 1) expect(read([text.slice(0, end)]).isWhole).toBe(false);
    expect(read([text.slice(0, 15)]).name).toBeNull();
  });

  it('reads any JSON, in pieces of any length', () => {
    fc.assert(
      fc.property(fc.string(), fc.json(), fc.integer({ min: 1, max: 9 }), (name, args, size) => {
        const text = `{"name":${JSON.stringify(name)},"arguments":${args}}`;
        const call = read(inPieces(text, size));
        expect([call.name, call.parts.join(''), call.isWhole]).toEqual([name, args.trim(), true]);
      }),
      { seed: 1 },
    );
  });
});

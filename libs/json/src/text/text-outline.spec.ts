import fc from 'fast-check';

import { JsonText } from './json-text.js';
import { LONG, TextOutline } from './text-outline.js';

// The same draws each time.
fc.configureGlobal({ seed: 1 });

/** The outline of a text that came in pieces of so many characters. */
function outlineOf(text: string, pieceLength: number): TextOutline {
  const outline = new TextOutline();
  for (let at = 0; at < text.length; at += pieceLength) outline.push(text.slice(at, at + pieceLength));
  return outline;
}

/** Offsets of all arrays and objects. */
function branchesOf(json: JsonText, at = json.root): number[] {
  const kind = json.kindAt(at);
  if (kind !== 'array' && kind !== 'object') return [];
  return [at, ...json.membersAt(at).flatMap((one) => branchesOf(json, one.at))];
}

const LONG_TEXT = 'x"\\'.repeat(LONG);

describe('the outline of a JSON text', () => {
  it('has the ends and members of what is long, wherever the pieces end', () => {
    const anyValue = fc.jsonValue({ maxDepth: 4, noUnicodeString: false } as never);
    const pieceLength = fc.constantFrom(1, 2, 7, 1_000, Infinity);
    fc.assert(
      fc.property(anyValue, pieceLength, fc.constantFrom(0, 2), (value, length, blanks) => {
        const text = ` ${JSON.stringify([value, { '\\"': value, k: [LONG_TEXT, [], {}] }, value], null, blanks)}\n`;
        const json = new JsonText(text);
        const { ends, members } = outlineOf(text, length);
        const long = branchesOf(json).filter((at) => json.endOf(at) - at > LONG);
        expect([...ends.keys()].sort((a, b) => a - b)).toEqual(long);
        for (const at of long) {
          expect(ends.get(at)).toBe(json.endOf(at));
          // Of an object they are those of its keys, before its values.
          const own = members.get(at) ?? [];
          const told = new JsonText(text, { ends: new Map(), members: new Map([[at, own]]) } as TextOutline);
          expect(told.membersAt(at)).toEqual(json.membersAt(at));
        }
      }),
      { numRuns: 30 },
    );
  });

  it('has nothing of what does not end, and of what ends twice', () => {
    for (const text of [`["${LONG_TEXT}`, `{"a":["${'x'.repeat(LONG)}"`, ']]', `]["${'x'.repeat(LONG)}"]`])
      expect(outlineOf(text, 1_000)).toMatchObject({ ends: new Map(), members: new Map() });
  });
});

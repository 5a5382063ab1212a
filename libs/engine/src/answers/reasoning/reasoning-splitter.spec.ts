import fc from 'fast-check';

import { ReasoningSplitter } from './reasoning-splitter.js';

const FORM = { begin: '<think>', end: '</think>' };

/** What a text that comes in these pieces is split into. */
function split(pieces: readonly string[], isOpen = false) {
  const splitter = new ReasoningSplitter(FORM, isOpen);
  const parts = [...pieces.flatMap((piece) => splitter.push(piece)), ...splitter.end()];
  expect(parts.filter(({ text }) => text === '')).toEqual([]);
  const joined = (kind: string) => parts.flatMap((part) => (part.kind === kind ? [part.text] : [])).join('');
  return { reasoning: joined('reasoning'), text: joined('text') };
}

const inPieces = (text: string, sizes: readonly number[]) => {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += pieces.at(-1)!.length) {
    pieces.push(text.slice(at, at + sizes[pieces.length % sizes.length]!));
  }
  return pieces;
};

describe('ReasoningSplitter', () => {
  it.each([
    ['Hello', '', 'Hello'],
    [' Hello', '', ' Hello'],
    ['<think>\nWell.\n</think>\n\nHello\n', 'Well.', 'Hello\n'],
    ['\n<think>Well.</think>Hello', 'Well.', 'Hello'],
    ['<think>\n\n</think>\n\nHello', '', 'Hello'],
    ['<think>a\n\nb </think>c', 'a\n\nb', 'c'],
    ['<think>a < b </th> </think>c', 'a < b </th>', 'c'],
    ['<think>a</think>b</think><think>c</think>', 'a', 'b</think><think>c</think>'],
    ['<think>cut off </th', 'cut off </th', ''],
    ['<think>cut off \n', 'cut off', ''],
    ['<think', '', '<think'],
    ['<thinking>a', '', '<thinking>a'],
    ['I <think>a</think>', '', 'I <think>a</think>'],
    ['', '', ''],
  ])('splits %j', (whole, reasoning, text) => {
    for (const size of [1, 2, 5, whole.length + 1]) {
      expect(split(inPieces(whole, [size]))).toEqual({ reasoning, text });
    }
  });

  it.each([
    ['Well.\n</think>\n\nHello', 'Well.', 'Hello'],
    ['\nWell.', 'Well.', ''],
    ['</think>Hello', '', 'Hello'],
  ])('splits %j after a prompt that has the beginning', (whole, reasoning, text) => {
    for (const size of [1, 3, whole.length]) {
      expect(split(inPieces(whole, [size]), true)).toEqual({ reasoning, text });
    }
  });

  it('splits alike whatever the pieces are', () => {
    const piece = fc.constantFrom('<think>', '</think>', '<', '/', '</th', 'ink>', ' ', '\n', 'a', 'word', '🙂');
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), sizes, fc.boolean(), (pieces, lengths, isOpen) => {
        const whole = pieces.join('');
        expect(split(inPieces(whole, lengths), isOpen)).toEqual(split([whole], isOpen));
      }),
      { seed: 1, numRuns: 2_000 },
    );
  });

  it('gives up a beginning after much white space', () => {
    const blank = ' '.repeat(100);
    const splitter = new ReasoningSplitter(FORM, false);
    expect(splitter.push(blank)).toEqual([{ kind: 'text', text: blank }]);
  });
});

import { isHeavy } from './heavy-body.js';

const values = (count: number, of: string) => Buffer.from(`[${Array(count).fill(of).join(',')}]`);

describe('isHeavy', () => {
  it.each([
    ['an empty body', Buffer.alloc(0), false],
    ['very many values in few bytes', values(43_000, '1'), false],
    ['many values', values(31_000, '0.125'), true],
    ['fewer values', values(29_000, '0.125'), false],
    ['a usual batch', values(1_000, JSON.stringify({ a: 'x'.repeat(550), b: 1, c: [1, 2, 3] })), false],
    ['a long text', Buffer.from(JSON.stringify('é'.repeat(500_000))), false],
    ['a longer text', Buffer.from(JSON.stringify('é'.repeat(530_000))), true],
  ])('%s', (_what, bytes, expected) => {
    expect(isHeavy(bytes)).toBe(expected);
  });
});

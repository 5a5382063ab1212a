import { Prompts } from './prompts.js';

const LINES = Array.from({ length: 10 }, (_, number) => JSON.stringify({ prompt: String(number) }));
const orderOf = (seed: number, from: number, to: number) => {
  const prompts = new Prompts(LINES, seed);
  return Array.from({ length: to - from }, (_, at) => prompts.at(from + at).row['prompt']);
};

describe('the order of prompts', () => {
  it('has each prompt once in a pass', () => {
    expect(orderOf(0, 0, 10).sort()).toEqual(LINES.map((_, number) => String(number)));
  });

  it('is another one in the next pass', () => {
    expect(orderOf(0, 10, 20)).not.toEqual(orderOf(0, 0, 10));
  });

  it('is the same wherever it is begun', () => {
    expect(orderOf(0, 4, 14)).toEqual([...orderOf(0, 0, 10).slice(4), ...orderOf(0, 10, 14)]);
  });

  it('depends on the seed', () => {
    expect(orderOf(1, 0, 10)).not.toEqual(orderOf(0, 0, 10));
  });
});

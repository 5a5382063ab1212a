import { figureText, lengthFinding, orderText, probeFinding, selfFinding } from './bias-words.js';

const figure = (estimate: number, low: number, high: number) => ({ estimate, low, high, calls: 50 });

it('calls it a bias where the interval leaves out 0', () => {
  expect(lengthFinding({ length: figure(0.3, 0.1, 0.5) })).toMatchObject({
    ...{ isBias: true, text: 'It likes long answers more than people do.' },
  });
  expect(lengthFinding({ length: figure(-0.3, -0.5, -0.1) }).text).toContain('short');
  expect(lengthFinding({ length: figure(0.3, -0.1, 0.5) })).toMatchObject({ isBias: false });
  expect(lengthFinding({ length: null })).toMatchObject({ isBias: false, figure: null });
});

it('says nothing of the family of what is no model', () => {
  expect(selfFinding({ self_preference: null, judge_family: null })).toBeNull();
  expect(selfFinding({ self_preference: figure(0.2, 0.1, 0.3), judge_family: 'gpt' })?.text).toBe(
    'It likes answers of its own family, gpt, more than people do.',
  );
});

it.each([
  ['longer', figure(0.4, 0.2, 0.5), 'When the answer says the same once more, its verdict is higher.'],
  [
    'bullets',
    figure(0, 0, 0),
    'When each of the answer’s sentences is a bullet, its verdict does not change on the whole.',
  ],
  ['flattery', null, 'When the answer flatters whoever asked: no verdicts yet.'],
  ['repeat', figure(-1, -2, -0.5), 'Asked again about the same answers, its verdict is lower than it was: it drifts.'],
] as const)('says what %s does', (probe, change, text) => expect(probeFinding({ probe, change }).text).toBe(text));

it('writes a figure with its interval', () =>
  expect(figureText(figure(0.35, -0.2, 0.5))).toBe('+0.35 (−0.2 … +0.5), of 50 calls'));

it('says how often the order of two answers decided', () =>
  expect(orderText({ estimate: 0.124, low: 0.05, high: 0.2, calls: 1_000 })).toEqual({
    text: 'Order: with the two answers swapped, it changed its verdict in 12 % of 1,000 calls; a call where it did is a tie.',
    interval: '5.0 % … 20 %',
  }));

import { momentsOf, Xoshiro128 } from '@hone/statistics';

import { type LabelledAnswer, meanFigure, probeFigures, traitBias } from './bias-figures.js';
import { familyOf } from './model-family.js';

describe('traitBias', () => {
  const random = new Xoshiro128(1);
  const answers = (taste: number): LabelledAnswer[] =>
    Array.from({ length: 400 }, () => {
      const human = random.fraction();
      // People like long answers, too: that is no bias.
      const trait = human + random.fraction();
      return { human, trait, judge: human + taste * (trait - human) + 0.2 * random.fraction(), weight: 1 };
    });

  it('finds a taste that people do not share, and none where the judge follows people', () => {
    const biased = traitBias(answers(0.5), 0.95);
    expect(biased?.low).toBeGreaterThan(0.5);
    expect(biased?.calls).toBe(400);
    const fair = traitBias(answers(0), 0.95);
    expect(fair?.low).toBeLessThan(0);
    expect(fair?.high).toBeGreaterThan(0);
    expect(traitBias(answers(-0.5), 0.95)?.high).toBeLessThan(-0.5);
  });

  it('has no figure of a few labels, nor where all answers are alike', () => {
    const some = answers(0.5);
    expect(traitBias(some.slice(0, 5), 0.95)).toBeNull();
    expect(
      traitBias(
        some.map((one) => ({ ...one, trait: 3 })),
        0.95,
      ),
    ).toBeNull();
    expect(
      traitBias(
        some.map((one, at) => (at < 6 ? one : { ...one, trait: null })),
        0.95,
      )?.calls,
    ).toBe(6);
  });
});

describe('probeFigures', () => {
  it('are the mean change, and how far verdicts are apart', () => {
    const { change, distance } = probeFigures(
      [
        { before: 3, after: 5 },
        { before: 4, after: 3 },
        { before: 2, after: 4 },
      ],
      0.95,
    );
    expect(change?.estimate).toBeCloseTo(1, 14);
    expect(distance?.estimate).toBeCloseTo(5 / 3, 14);
    // Student's t of 2 degrees of freedom.
    const half = 4.302652729911275 * Math.sqrt(momentsOf([2, -1, 2]).variance / 3);
    expect(change?.high).toBeCloseTo(1 + half, 9);
    expect(probeFigures([{ before: 1, after: 2 }], 0.95)).toEqual({ change: null, distance: null });
    expect(meanFigure([2, 2, 2], 0.95)).toEqual({ estimate: 2, low: 2, high: 2, calls: 3 });
  });
});

describe('familyOf', () => {
  it.each([
    ['gpt-5-mini', 'gpt'],
    ['openai/GPT-5', 'gpt'],
    ['claude-opus-4', 'claude'],
    ['meta-llama/Llama-3.1-8B', 'llama'],
    ['o3', 'o'],
    ['7b', null],
    ['', null],
  ])('is the first word of %j: %j', (model, family) => {
    expect(familyOf(model)).toBe(family);
  });
});

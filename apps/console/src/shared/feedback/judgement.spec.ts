import { toJudgement } from './judgement.js';

describe('a rating with tags', () => {
  it('has a number, tags, or both', () => {
    expect(toJudgement(' accuracy ', '0.25', '')).toEqual({
      ...{ feedback_type: 'accuracy', payload: {}, scorer_ratings: { accuracy: 0.25 } },
    });
    expect(toJudgement('review', '', 'rude, off topic,,rude')).toEqual({
      ...{ feedback_type: 'review', payload: {}, scorer_tags: ['rude', 'off topic'] },
    });
    expect(toJudgement('review', '0', 'rude')).toMatchObject({ scorer_ratings: { review: 0 }, scorer_tags: ['rude'] });
  });

  it.each([
    ['', '1', 'a'],
    ['review', '', ' , '],
    ['review', '1.5', 'a'],
    ['review', '-1', ''],
    ['review', 'x', ''],
  ])('is none of %j, %j, %j', (name, rating, tags) => {
    expect(toJudgement(name, rating, tags)).toBeNull();
  });
});

import type { CallDto } from '@hone/client';

import { judgementsOf } from './judgements.js';

const call = (id: string, ...feedback: unknown[]): CallDto =>
  ({ id, summary: { hone: { feedback } } }) as unknown as CallDto;
const thumb = (detoned: string) => ({ feedback_type: 'hone.reaction.1', payload: { detoned } });
const rated = (ratings: object) => ({ feedback_type: 'review', payload: {}, scorer_ratings: ratings });

describe('what was said of the calls of a version', () => {
  it('is how many are liked, and the mean of each rating, each call once', () => {
    const calls = [
      call('a', thumb('👍'), thumb('👍'), rated({ helpful: 1 })),
      call('b', thumb('👎'), rated({ helpful: 0.5, exact: 0 })),
      call('c'),
    ];
    expect(judgementsOf(calls)).toEqual({
      ...{ liked: ['a'], disliked: ['b'] },
      scores: [
        { name: 'helpful', mean: 0.75, ids: ['a', 'b'] },
        { name: 'exact', mean: 0, ids: ['b'] },
      ],
    });
  });

  it('is nothing where feedback is of any other form', () => {
    const calls = [call('a', null, 'x', { feedback_type: 'hone.reaction.1', payload: 7, scorer_ratings: { a: 'x' } })];
    for (const summary of [null, {}, { hone: { feedback: 7 } }]) calls.push({ id: 'b', summary } as never);
    expect(judgementsOf(calls)).toEqual({ liked: [], disliked: [], scores: [] });
  });
});

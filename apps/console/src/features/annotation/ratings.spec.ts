import { toFeedback } from '../../shared/feedback/feedback.js';
import { toRatings } from './ratings.js';

const rating = (call: string, user: string, value: unknown, at: string) =>
  toFeedback({ trace_ref: `hone:///a/b/call/${call}`, svc_user_id: user, payload: { value }, created_at: at });

it('the newest rating of each annotator counts, in whatever order they come', () => {
  const ratings = toRatings([
    rating('c1', 'ada', 2, '2026-01-15T10:00:02.000Z'),
    rating('c1', 'ada', 1, '2026-01-15T10:00:01.000Z'),
    rating('c1', 'bob', 5, '2026-01-15T10:00:00.000Z'),
    rating('__proto__', 'ada', 3, '2026-01-15T10:00:00.000Z'),
  ]);
  expect(ratings.get('c1')?.map(({ userId, value }) => [userId, value])).toEqual([
    ['ada', 2],
    ['bob', 5],
  ]);
  expect(ratings.get('__proto__')).toHaveLength(1);
  expect(ratings.get('c2')).toBeUndefined();
});

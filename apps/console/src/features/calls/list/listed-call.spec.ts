import type { CallDto } from '@hone/client';

import { toListedCall } from './listed-call.js';

const TRACE = { calls: 3, errors: 2, models: ['a', 'b'], total_tokens: 12, cost: 0.5 };
const listed = (more: object, ...others: [fields?: string[], isRoot?: boolean]) =>
  toListedCall({ id: 'c', project_id: 'a/b', ...more } as unknown as CallDto, ...others);

describe('a call of the list', () => {
  it('shows what its trace used where it is the root and used nothing itself', () => {
    const own = { 'summary.hone.model': 'x', 'summary.hone.total_tokens': 5, 'summary.hone.cost': 0.25 };
    const used = ({ models, tokens, cost }: ReturnType<typeof listed>) => [models, tokens, cost];
    expect(used(listed({ 'summary.hone.trace': TRACE }))).toEqual([['a', 'b'], 12, 0.5]);
    expect(used(listed({ 'summary.hone.trace': TRACE, ...own }))).toEqual([['x'], 5, 0.25]);
    expect(used(listed({ 'summary.hone.trace': TRACE, parent_id: 'p' }))).toEqual([[], null, null]);
    expect(used(listed({ 'summary.hone.trace': TRACE, parent_id: 'gone' }, [], true))).toEqual([['a', 'b'], 12, 0.5]);
    const nothing = { ...TRACE, models: [], total_tokens: 0, cost: null };
    expect(used(listed({ 'summary.hone.trace': nothing }))).toEqual([[], null, null]);
  });

  it('counts the failed calls below it, where it did not fail itself', () => {
    const below = (status: string, more: object = {}) =>
      listed({ 'summary.hone.status': status, 'summary.hone.trace': TRACE, ...more }).errorsBelow;
    expect(below('descendant_error')).toBe(2);
    expect(below('error')).toBeNull();
    expect(below('descendant_error', { parent_id: 'p' })).toBeNull();
    expect(below('descendant_error', { 'summary.hone.trace': { ...TRACE, errors: 0 } })).toBeNull();
  });

  it('says what went wrong by the last line of a traceback', () => {
    expect(listed({ exception: 'Traceback:\n  File "x"\nValueError:  no\n' }).failure).toBe('ValueError: no');
    expect(listed({ exception: null }).failure).toBe('');
  });

  it('is shown though nothing of it is there', () => {
    expect(listed({}, ['inputs.q'])).toMatchObject({ status: 'running', latencyMs: null, cells: { 'inputs.q': '' } });
    expect(listed({ 'summary.hone.total_tokens': 'many', 'summary.hone.model': 1 })).toMatchObject({
      ...{ tokens: null, models: [] },
    });
  });
});

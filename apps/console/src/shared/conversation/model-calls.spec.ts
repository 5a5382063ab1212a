import { innermostOf } from './model-calls.js';

const row = (id: string, parentId: string | null, beganMs: number, latencyMs: number | null = 1) => ({
  ...{ id, parentId, beganMs, latencyMs, opName: id, displayName: null, status: 'success' as const },
});

describe('the model calls of a trace', () => {
  it('are those that make no other, by their start, once they have ended', () => {
    const rows = [row('agent', null, 0), row('b', 'step', 9), row('step', 'agent', 1), row('a', 'agent', 2)];
    expect(innermostOf([...rows, row('running', 'agent', 3, null)], new Set(['agent', 'b', 'a', 'running']))).toEqual([
      ...['a', 'b'],
    ]);
  });

  it('are none in a circle of callers, and of calls that are not there', () => {
    expect(innermostOf([row('a', 'b', 0), row('b', 'a', 1)], new Set(['a', 'b', 'lost']))).toEqual([]);
  });
});

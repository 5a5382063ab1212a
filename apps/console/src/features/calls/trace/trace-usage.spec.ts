import { toTree } from './call-tree.js';
import { formatModels, formatUsed, together, usedIn, usedOf } from './trace-usage.js';

const node = (id: string, parentId: string | null) => ({
  ...{ id, parentId, opName: id, displayName: null, status: 'success' as const, beganMs: 0, latencyMs: 1 },
});

describe('what calls used', () => {
  const small = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, total_cost: 0.25 };

  it('is summed over models, costs where there is a price', () => {
    const used = usedOf({ a: small, b: { prompt_tokens: 1_000, completion_tokens: 1 } });
    expect(used).toEqual({ tokens: 1_016, costUsd: 0.25, models: ['a', 'b'] });
    expect(used && formatUsed(used)).toBe('1,016 tokens · $0.25');
    expect(used && formatModels(used)).toBe('2 models');
  });

  it('has no cost without a price, and names its one model', () => {
    const used = usedOf({ constructor: { total_tokens: 0 } });
    expect(used).toEqual({ tokens: 0, costUsd: null, models: ['constructor'] });
    expect(used && formatUsed(used)).toBe('0 tokens');
    expect(used && formatModels(used)).toBe('constructor');
  });

  it('is nothing where no model was used', () => {
    expect(usedOf({})).toBeNull();
    expect(together([])).toBeNull();
  });

  it('is of a call that says nothing itself what the calls below it used, each once', () => {
    const rows = [node('root', null), node('step', 'root'), node('a', 'step'), node('b', 'step'), node('c', 'root')];
    const usage = { a: { m: small }, b: { n: small }, c: { m: small } };
    const { byCall, inAll } = usedIn(toTree([...rows, node('idle', 'root'), node('other', null)]), usage);
    expect(inAll).toEqual({ tokens: 45, costUsd: 0.75, models: ['m', 'n'] });
    expect(byCall.get('root')).toEqual(inAll);
    expect(byCall.get('step')?.tokens).toBe(30);
    expect([...byCall.keys()].sort()).toEqual(['a', 'b', 'c', 'root', 'step']);
  });

  it('is of a call that sums those below it what it says', () => {
    const { byCall, inAll } = usedIn(toTree([node('sum', null), node('a', 'sum')]), {
      ...{ sum: { m: { ...small, total_tokens: 99 } }, a: { m: small } },
    });
    expect(inAll?.tokens).toBe(99);
    expect(byCall.get('a')?.tokens).toBe(15);
  });
});

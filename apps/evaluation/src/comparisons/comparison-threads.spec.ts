import { ComparisonThreads } from './comparison-threads.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('ComparisonThreads', () => {
  it('reads two comparisons at once; the next has its turn when one of them ends, also by an error', async () => {
    const threads = new ComparisonThreads();
    const reads: ((error: Error) => void)[] = [];
    const compared = Array.from({ length: 4 }, () =>
      threads.run(() => new Promise((_resolve, reject) => reads.push(reject))).catch((error: Error) => error.message),
    );
    await turn();
    expect(reads).toHaveLength(2);
    reads[1]?.(new Error('second'));
    expect(await compared[1]).toBe('second');
    await turn();
    expect(reads).toHaveLength(3);
    for (const at of [0, 2]) reads[at]?.(new Error(`read ${at}`));
    await turn();
    await turn();
    reads[3]?.(new Error('last'));
    expect(await Promise.all(compared)).toEqual(['read 0', 'second', 'read 2', 'last']);
    await threads.onApplicationShutdown();
  });
});

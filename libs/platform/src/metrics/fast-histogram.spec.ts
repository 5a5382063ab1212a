import { Histogram, Registry } from 'prom-client';

import { FastHistogram } from './fast-histogram.js';

describe('FastHistogram', () => {
  const named = { name: 'seconds', help: 'How long.', labelNames: ['route', 'status'], buckets: [0.1, 0.5, 1] };

  it("is printed as the library's own histogram", async () => {
    const [ours, theirs] = [new Registry(), new Registry()];
    const fast = new FastHistogram({ ...named, registry: ours });
    const histogram = new Histogram({ ...named, registers: [theirs] });
    const samples: [number, string, string][] = [
      [0.1, '/a', '200'],
      [0.100_1, '/a', '200'],
      [7, '/a', '500'],
      [0, '/"b"\n', '200'],
      [1, '/a', '200'],
    ];
    for (const [value, route, status] of samples) {
      fast.observe(value, route, status);
      histogram.observe({ route, status }, value);
    }
    expect(await ours.metrics()).toBe(await theirs.metrics());
    expect(await ours.getMetricsAsJSON()).toMatchObject([{ name: 'seconds', type: 'histogram' }]);
  });

  it('shows nothing but its name before the first sample', async () => {
    const registry = new Registry();
    new FastHistogram({ ...named, registry });
    expect(await registry.metrics()).toBe('# HELP seconds How long.\n# TYPE seconds histogram\n');
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { SKIP_REASONS, Skipped } from './skipped.js';

const GUIDE = join(import.meta.dirname, '../../../../docs/guides/improve-from-traffic.md');

describe('Skipped', () => {
  it('has a row in the guide for each reason', () => {
    const rows = readFileSync(GUIDE, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('| `'));
    const named = new Set(
      rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name)),
    );
    expect(SKIP_REASONS.filter((reason) => !named.has(reason))).toEqual([]);
  });

  it('says what to do about the most frequent reasons, in a sentence that fits an issue', () => {
    const skipped = new Skipped();
    for (const reason of SKIP_REASONS) skipped.add(reason, 'a');
    for (const id of ['b', 'c']) skipped.add('small_group', id);
    expect(skipped.wayOut()).toMatch(/^small_group: .* group_by to none .*; \w+: /);
    expect(`${skipped}. Of ${skipped.wayOut()}`.length).toBeLessThan(450);
  });

  it('says nothing where nothing helps', () => {
    const skipped = new Skipped();
    skipped.add('failed', 'a');
    expect(skipped.wayOut()).toBe('');
  });
});

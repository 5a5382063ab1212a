import { spawnSync } from 'node:child_process';

import { builtUrl } from '@hone/threads';

const MODULE = builtUrl(import.meta.url, 'lower-priority').href;

/** @returns niceness of a process that was started with `nice` and has lowered its priority */
function nicenessOf(nice: number): string {
  const script = `
    import { getPriority, setPriority } from 'node:os';
    import { lowerPriority } from ${JSON.stringify(MODULE)};
    setPriority(${nice});
    lowerPriority();
    process.stdout.write(String(getPriority()));`;
  return spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' }).stdout;
}

describe('lowerPriority', () => {
  it.each([
    [0, '10'],
    [10, '10'],
    [15, '15'],
  ])('makes %i %s, so that it needs no privileges', (nice, expected) => {
    expect(nicenessOf(nice)).toBe(expected);
  });
});

import { platform } from 'node:os';

import { cpuMsOf, ownTaskId } from './thread-cpu-time.js';

const onLinux = platform() === 'linux' ? it : it.skip;

describe('cpuMsOf', () => {
  onLinux('is what the thread has used: it grows while it computes', () => {
    const id = ownTaskId();
    const before = cpuMsOf(id) as number;
    let sum = 0;
    while ((cpuMsOf(id) as number) < before + 20) for (let n = 0; n < 100_000; n++) sum += n;
    expect(sum).toBeGreaterThan(0);
    expect(cpuMsOf(id)).toBeGreaterThan(before);
  });

  it('is unknown of a thread that there is not', () => {
    expect(cpuMsOf(2 ** 30)).toBeNull();
    expect(cpuMsOf(null)).toBeNull();
  });
});

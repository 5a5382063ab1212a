import { readFileSync, writeFileSync } from 'node:fs';

import { processStart } from './process-start.js';

describe('processStart', () => {
  it('stays the same while the process runs', () => {
    expect(processStart(process.pid)).toMatch(/^\S+$/);
    expect(processStart(process.pid)).toBe(processStart(process.pid));
  });

  it('is null for a process that is not there', () => expect(processStart(999_999_999)).toBeNull());

  const itOnLinux = process.platform === 'linux' ? it : it.skip;

  itOnLinux('differs between processes: ticks since the system started', () => {
    const [ticks, first] = [processStart(process.pid), processStart(1)].map(Number);
    const upSeconds = parseFloat(readFileSync('/proc/uptime', 'utf8'));
    expect(ticks).toBeGreaterThanOrEqual(first as number);
    expect(ticks).toBeLessThanOrEqual(upSeconds * 100 + 100);
  });

  itOnLinux('reads past a name with blanks and brackets', () => {
    const before = readFileSync('/proc/self/comm', 'utf8');
    try {
      const expected = processStart(process.pid);
      writeFileSync('/proc/self/comm', 'a) b (c)');
      expect(readFileSync(`/proc/${process.pid}/stat`, 'utf8')).toContain('(a) b (c))');
      expect(processStart(process.pid)).toBe(expected);
    } finally {
      writeFileSync('/proc/self/comm', before);
    }
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Environment } from '@hone/platform';

import { readTrainerConfig } from './trainer.config.js';

const read = (variables: Record<string, string> = {}) => readTrainerConfig(new Environment(variables));

describe('readTrainerConfig', () => {
  it('works without any variable', () => {
    expect(read()).toMatchObject({
      dataDir: './.hone',
      modelsDir: null,
      concurrency: 1,
      collectSeconds: 3_600,
      download: { hosts: null, privateHosts: [], maxBytes: 2 ** 30, timeoutMs: 60_000 },
      jobTimes: { leaseSeconds: 30, heartbeatSeconds: 5, maxFailures: 3 },
    });
  });

  it('runs as many jobs at once as the page about jobs says', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../../docs/concepts/training-jobs.md'), 'utf8');
    const [, promised] = /`HONE_TRAINER_CONCURRENCY` jobs at once, (\d+) unless you set it/.exec(page) ?? [];
    expect(Number(promised)).toBe(read().concurrency);
  });

  it('reads hosts as lists, and a star as any host', () => {
    const hosts = (value: string) => read({ HONE_TRAINING_DATA_HOSTS: value }).download.hosts;
    expect(hosts('Data.example, other.example')).toEqual(['data.example', 'other.example']);
    expect(hosts('*')).toBeNull();
  });

  it.each([
    ['HONE_TRAINER_CONCURRENCY', '0', 'an integer from 1 to 64'],
    ['HONE_TRAINING_LEASE_S', 'soon', 'seconds above 0'],
    ['HONE_TRAINING_HEARTBEAT_S', '0', 'seconds above 0'],
    ['HONE_TRAINING_MAX_FAILURES', '1.5', 'an integer from 1 to 100'],
  ])('names %s when it is %s', (name, value, expected) => {
    expect(() => read({ [name]: value })).toThrow(`${name} is wrong: expected ${expected}`);
  });

  it('takes parts of seconds', () => {
    expect(read({ HONE_TRAINING_LEASE_S: '1.5' }).jobTimes.leaseSeconds).toBe(1.5);
  });
});

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { RECOMMENDED_RATES, recommendedLearningRate, warnOfLearningRate } from './learning-rates.js';

const TINY = 918_656;
const ROOT = join(import.meta.dirname, '../../../..');

describe('recommendedLearningRate', () => {
  it('falls with the size of the base, for each kind of job', () => {
    for (const kind of ['sft', 'rl'] as const) {
      const rates = [TINY, 134_515_008, 1_235_814_400, 8_030_261_248, 70_553_706_496].map((parameters) =>
        recommendedLearningRate(kind, parameters),
      );
      expect(rates).toEqual(RECOMMENDED_RATES.map((row) => row[kind]));
      expect(rates.toSorted((a, b) => b - a)).toEqual(rates);
      expect(new Set(rates).size).toBe(rates.length);
    }
  });
});

describe('the documented learning rates', () => {
  it('are those that jobs are judged by', async () => {
    const page = await readFile(join(ROOT, 'docs/concepts/training-jobs.md'), 'utf8');
    const rows = [...page.matchAll(/^\| (?:up to [^|]*|more) \| (\S+) \| (\S+) \| (\S+) \|$/gm)];
    expect(rows.map(([, ...rates]) => rates.map(Number))).toEqual(
      RECOMMENDED_RATES.map(({ sft, rl, preference }) => [sft, rl, preference]),
    );
  });

  it('are what the README trains its demonstration with', async () => {
    const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
    const rates = [...readme.matchAll(/"learning_rate": ([\d.e-]+)/g)].map(([, rate]) => Number(rate));
    expect(rates).toEqual([recommendedLearningRate('sft', TINY)]);
  });
});

describe('warnOfLearningRate', () => {
  it.each([
    ['sft', 2e-3, []],
    ['sft', 2.1e-4, []],
    ['sft', 1.9e-2, []],
    ['sft', 2e-4, ['config.learning_rate_low']],
    ['sft', 0, ['config.learning_rate_low']],
    ['sft', 2e-2, ['config.learning_rate_high']],
    ['rl', 5e-6, ['config.learning_rate_low']],
    ['rl', 1, ['config.learning_rate_high']],
  ] as const)('of a small base and %s at %d: %j', (kind, rate, codes) => {
    expect(warnOfLearningRate(kind, TINY, rate).map(({ code }) => code)).toEqual(codes);
  });

  it('names both rates and where the setting is', () => {
    expect(warnOfLearningRate('sft', TINY, 5e-5)).toEqual([
      {
        code: 'config.learning_rate_low',
        message: expect.stringMatching(/0\.00005 is far from 0\.002,/),
        hint: 'Set learning_rate to about 0.002.',
        loc: ['config', 'learning_rate'],
      },
    ]);
    expect(warnOfLearningRate('rl', TINY, 0)[0]?.loc).toEqual(['experimental_config', 'learning_rate']);
  });

  it('judges a list by its highest rate', () => {
    expect(warnOfLearningRate('sft', TINY, [0, 2e-3, 1e-9])).toEqual([]);
    expect(warnOfLearningRate('sft', TINY, [1e-9, 1e-5])).toHaveLength(1);
  });
});

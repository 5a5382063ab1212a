import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { REPOSITORY, toolEnvironment } from './lint-texts.fixture.js';

const CONTRACTS = 'libs/contracts/src/training';
/** Everything that speaks of training. */
const FOLDERS = [
  'libs/contracts/src',
  'libs/engine/src',
  'libs/training-jobs/src',
  'libs/testing/src/engine-conformance',
  'apps/training/src',
  'apps/trainer/src',
  'apps/tour/src',
];

/** A word more, and the files that do not compile before they say what it means: [file, list, files]. */
const LISTS: [string, string, string[]][] = [
  [
    'rl-config.dto.ts',
    'LOSS_FUNCTIONS',
    [
      'libs/engine/src/loss/plain-loss.fixture.ts', // what it is, in plain numbers
      'libs/engine/src/loss/row-loss.ts', // what it is, as coefficients
      'libs/engine/src/plan/rl-config.ts', // its defaults
      'libs/engine/src/train/policy-loss.ts', // what it is, as a graph
    ],
  ],
  ['training-job.dto.ts', 'TRAINING_JOB_STATUSES', ['libs/training-jobs/src/job-statuses.ts']],
  ['events.dto.ts', 'TRAINING_JOB_EVENT_TYPES', ['libs/training-jobs/src/job-events.ts']],
];

describe('the words of training', () => {
  it('are listed once: one more does not compile until every part that tells them apart knows it', () => {
    const texts = LISTS.map(([file, list]) => {
      const path = join(CONTRACTS, file);
      const text = readFileSync(join(REPOSITORY, path), 'utf8');
      const planted = text.replace(`export const ${list} = [`, `$&'planted', `);
      expect(planted).not.toBe(text);
      return [path, planted];
    });
    const { stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'type-errors.mjs')], {
      cwd: REPOSITORY,
      env: toolEnvironment(),
      input: JSON.stringify({ folders: FOLDERS, texts: Object.fromEntries(texts) }),
      encoding: 'utf8',
    });
    if (stdout === '') throw new Error(stderr);
    const errors = JSON.parse(stdout) as [string, string][];
    expect([...new Set(errors.map(([path]) => path))].sort()).toEqual(LISTS.flatMap(([, , files]) => files).sort());
    const isAboutWord = /'planted' is missing in type|lacks ending return statement/;
    expect(errors.filter(([, message]) => !isAboutWord.test(message))).toEqual([]);
  });
});

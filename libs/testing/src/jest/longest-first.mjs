import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import TestSequencer from '@jest/test-sequencer';

const REPOSITORY = join(import.meta.dirname, '../../../..');
/** Path of a test file -> seconds that it took. */
const SECONDS = JSON.parse(readFileSync(join(REPOSITORY, '.ci/test-timings.json'), 'utf8'));

/** Starts the files that take longest first, so that no worker is left with one at the end. Unknown files come first. */
export default class LongestFirst extends TestSequencer {
  sort(tests) {
    const secondsOf = ({ path }) => SECONDS[relative(REPOSITORY, path)] ?? Infinity;
    return [...tests].sort((a, b) => secondsOf(b) - secondsOf(a) || a.path.localeCompare(b.path));
  }
}

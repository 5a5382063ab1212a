import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Of each run: the seconds of each file. `.ci/test.mjs --timings` makes the checked-in timings of them. */
export const TIMINGS_FOLDER = join(import.meta.dirname, '../../../../node_modules/.cache/test-timings');

/** Ends a run with its number of assertions and one plain line: `<n> passed, <n> failed`. */
export default class ClosingCountsReporter {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
  }

  onRunComplete(_contexts, results) {
    const files = results.testResults;
    this.#keepTimings(files);
    const brokenFiles = files.filter((file) => file.testExecError).length;
    const skipped = results.numPendingTests + results.numTodoTests;
    const tail = skipped ? `, ${skipped} skipped` : '';
    const assertions = files.flatMap((file) => file.testResults).reduce((sum, one) => sum + one.numPassingAsserts, 0);
    console.log(
      `\n${assertions} assertions\n${results.numPassedTests} passed, ${results.numFailedTests + brokenFiles} failed${tail}`,
    );
  }

  #keepTimings(files) {
    const seconds = files.map(({ testFilePath, perfStats: { start, end } }) => [
      relative(this.rootDir, testFilePath),
      Math.round((end - start) / 100) / 10,
    ]);
    mkdirSync(TIMINGS_FOLDER, { recursive: true });
    const file = relative(this.rootDir, process.cwd()).replaceAll('/', '-') || 'all';
    writeFileSync(join(TIMINGS_FOLDER, `${file}.json`), JSON.stringify(Object.fromEntries(seconds)));
  }
}

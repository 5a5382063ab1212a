/**
 * What `npm test` does after the build: starts one Postgres, runs the `test` target of every project on it (from Nx's
 * cache where nothing changed), and closes with the counts of all of them.
 *
 *   node .ci/test.mjs [projects]    for example `@hone/trace,@hone/auth`; default: all
 *   node .ci/test.mjs --timings     also writes `.ci/test-timings.json`, by which files are ordered
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { TIMINGS_FOLDER } from '../libs/testing/src/jest/closing-counts-reporter.mjs';
import { registerSources } from '../libs/testing/src/jest/sources.mjs';

const REPOSITORY = join(import.meta.dirname, '..');
const TIMINGS = join(REPOSITORY, '.ci/test-timings.json');
/** Projects at once, each with the workers that `jest.preset.mjs` says. */
const PARALLEL = 2;

const args = process.argv.slice(2);
const projects = args.find((arg) => !arg.startsWith('--'));
registerSources();
const { startTestPostgres } = await import('../libs/testing/src/jest/test-postgres.ts');
const stopPostgres = await startTestPostgres();
try {
  const [code, output] = await runTests();
  const sums = sumsOf(output);
  if (code !== 0) sums.failed ||= 1;
  console.log(`\n${sums.assertions} assertions\n${sums.passed} passed, ${sums.failed} failed${sums.tail}`);
  if (args.includes('--timings')) writeTimings();
  process.exitCode = code === 0 && sums.failed === 0 ? 0 : 1;
} finally {
  await stopPostgres();
}

/** @returns the exit code of Nx, and everything that it wrote */
function runTests() {
  const nx = join(REPOSITORY, 'node_modules/.bin/nx');
  const run = ['run-many', '-t', 'test', `--parallel=${PARALLEL}`, '--output-style=stream'];
  const child = spawn(process.execPath, [nx, ...run, ...(projects ? ['-p', projects] : [])], {
    cwd: REPOSITORY,
    env: { ...process.env, FORCE_COLOR: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => child.kill(signal));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
      process.stdout.write(text);
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve([code, output]));
  });
}

/** Adds up the closing lines of all projects. */
function sumsOf(output) {
  const sum = (pattern) => [...output.matchAll(pattern)].reduce((total, [, count]) => total + Number(count), 0);
  const skipped = sum(/\d+ passed, \d+ failed, (\d+) skipped$/gm);
  return {
    assertions: sum(/(\d+) assertions$/gm),
    passed: sum(/(\d+) passed, \d+ failed(?:, \d+ skipped)?$/gm),
    failed: sum(/\d+ passed, (\d+) failed(?:, \d+ skipped)?$/gm),
    tail: skipped > 0 ? `, ${skipped} skipped` : '',
  };
}

function writeTimings() {
  const found = readdirSync(TIMINGS_FOLDER).map((name) => JSON.parse(readFileSync(join(TIMINGS_FOLDER, name), 'utf8')));
  const all = Object.entries(Object.assign({}, ...found)).sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(TIMINGS, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
}

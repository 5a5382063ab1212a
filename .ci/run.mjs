/**
 * Everything that must hold before a change is taken. `.ci/run` installs the dependencies and starts it.
 *
 *   .ci/run                   static checks, `npm test`, and each target whose inputs changed since its last green run
 *   .ci/run all               every target, whatever changed, that ends within an hour and a half
 *   .ci/run long              every target in its long form, full counts of matrices, fuzz, races and kills, every
 *                             benchmark, shortened, and twenty minutes of faults
 *   .ci/run only browser,…    these targets alone, without the steps before them
 *
 * The last line is the count of tests of all targets; the exit status is 0 only if every step went well. A green target
 * is recorded in `.ci/verified.json`, to be committed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { hashOf, TARGETS, TEST_MINUTES, VerifiedTargets } from './targets.mjs';

const REPOSITORY = join(import.meta.dirname, '..');
const LONG = {
  ...{ HONE_TEST_LONG: '1', HONE_MODELS_LONG: '1', HONE_ENGINES_LONG: '1' },
  HONE_ENGINES_KILLS: process.env.HONE_ENGINES_KILLS ?? '3',
};
/**
 * Targets that run side by side, each lane in order. Every one of them waits for servers to start, for a browser or for
 * packages much of its time.
 */
const LANES = [['engines'], ['browser', 'models', 'python', 'nodes', 'lint']];
/** What a target's script does first. Two lanes that build at once would read each other's half-written files. */
const BUILD = /npm run build && |nx run \S+:generate && /g;
/** Bytes of memory that two lanes take at most. */
const TWO_LANES_BYTES = 14 * 2 ** 30;
/** What Jest, pytest, a target of ours or a static check names as failed, with Jest's first lines about it. */
const FAILURE = /^(?: *● (?:.+ › .+|Test suite failed to run)(?:\n(?! *● ).*){0,12}|FAIL(?:ED)? .+)/gm;
/** The last words of a process that aborts: of V8, Node.js, C++ and the C library. Without them nobody knows why it did. */
const ABORT =
  /^.*(?:FATAL ERROR: |# Fatal error in|Assertion .+ failed|terminate called|double free|malloc\(\): |free\(\): |corrupted (?:size|double-linked)).*(?:\n.+){0,12}/gm;
/** Failures that are listed again at the end, of each step. */
const LISTED_FAILURES = 30;
const FAILURE_CHARACTERS = 1_000;
/** What Nx writes before each line of a project's own. */
const PROJECT = /^@hone\/[\w-]+: /gm;
/** Seconds from the start within which a run ends, with some to spare of the hour and a half that it has. */
const LIMIT_S = 84 * 60;

const startedMs = Date.now() - Number(process.env.HONE_CI_STARTED_S ?? 0) * 1_000;
const [mode, names] = process.argv.slice(2);
const asked = (names ?? '').split(',');
const unknown = mode === 'only' ? asked.filter((name) => !(name in TARGETS)) : [];
if (unknown.length > 0) {
  console.error(`No target is called '${unknown.join("', '")}': expected ${Object.keys(TARGETS).join(', ')}.`);
  process.exit(1);
}
const isLong = mode === 'long';
if (isLong) Object.assign(process.env, LONG);
const verified = new VerifiedTargets(join(REPOSITORY, '.ci/verified.json'));
const failed = [];
const times = [];
const counts = { passed: 0, failed: 0 };
/** How many times longer this machine takes than the one of the targets' minutes; 0: nobody knows, and all have time. */
let slowness = 0;

if (mode !== 'only') {
  // llama.cpp, against which the engine's exports are held; without it those specs are skipped.
  await step('npm ci --prefix bench');
  await step('npm run build');
  await step('node .ci/check.mjs static');
  const { seconds } = await count('npm test');
  slowness = seconds / 60 / TEST_MINUTES;
}
const chosen = mode === 'only' ? asked : Object.keys(TARGETS).filter(isDue);
const lanes = LANES.map((lane) => lane.filter((name) => chosen.includes(name))).filter((lane) => lane.length > 0);
if (lanes.length > 0) await step('npm run build');
if (process.availableMemory() >= TWO_LANES_BYTES) await Promise.all(lanes.map(runLane));
else for (const lane of lanes) await runLane(lane);
if (isLong) {
  await step('npm run bench -- all --quick');
  await step('npm run faults');
}

console.log('== minutes of each step');
console.log(times.join('\n'));
for (const failure of failed) console.error(failure);
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = failed.length > 0 || counts.failed > 0 ? 1 : 0;

/** Whether the target is to be run; says so when it is left out. */
function isDue(name) {
  const { script, inputs } = TARGETS[name];
  const hash = hashOf(inputs, REPOSITORY);
  if (mode === 'all' || isLong || !verified.has(name, hash)) return true;
  console.log(`left out, as its inputs are those of its last green run (sha256 ${hash}): npm run ${script}`);
  return false;
}

async function runLane(lane) {
  for (const name of lane) await runTarget(name, lanes.length > 1 ? `[${name}] ` : '');
}

async function runTarget(name, prefix) {
  const { script, inputs, minutes, needs, isPossible, packages, isInstalled } = TARGETS[name];
  if (packages && !isInstalled()) installPackages(packages);
  if (isPossible && !isPossible()) return console.log(`left out, as it needs ${needs}: npm run ${script}`);
  const endS = (Date.now() - startedMs) / 1_000 + minutes * 60 * slowness;
  if (endS > LIMIT_S && !isLong) {
    return console.log(`left out, as it needs a faster machine, or more time: npm run ${script}`);
  }
  const before = hashOf(inputs, REPOSITORY);
  const { isGreen } = await count(withoutBuild(script), prefix, `npm run ${script}`);
  if (isGreen && hashOf(inputs, REPOSITORY) === before) verified.add(name, before);
}

/** The command of a script of package.json, but for the build: it was done before. */
function withoutBuild(script) {
  const { scripts } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8'));
  return scripts[script].replace(BUILD, '');
}

/** Debian's packages. Where there is no apt, the target says what it lacks. */
function installPackages(packages) {
  const options = { stdio: ['ignore', 'ignore', 'inherit'] };
  spawnSync('apt-get', ['update', '-qq'], options);
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], options);
}

/** Runs a command whose last counts are "N passed, N failed" at the end of a line, and adds them up. */
async function count(command, prefix, title) {
  const { isGreen, seconds, output } = await step(command, prefix, title);
  const [, passed, wrong] = [...output.matchAll(/^(\d+) passed, (\d+) failed/gm)].at(-1) ?? ['', 0, 1];
  counts.passed += Number(passed);
  counts.failed += Number(wrong);
  return { isGreen: isGreen && Number(wrong) === 0, seconds };
}

/**
 * Runs a command, notes how long it took, and whether it failed.
 *
 * @param prefix of each line that it writes
 * @param title by which it is listed; default: the command
 */
async function step(command, prefix = '', title = command) {
  console.log(`== ${title}`);
  const beganMs = Date.now();
  const env = { ...process.env, PATH: `${join(REPOSITORY, 'node_modules/.bin')}${delimiter}${process.env.PATH}` };
  const child = spawn('sh', ['-c', command], { cwd: REPOSITORY, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
      process.stdout.write(prefix ? text.replace(/^(?=.)/gm, prefix) : text);
    });
  }
  const code = await new Promise((resolve) => child.once('close', resolve));
  const seconds = Math.round((Date.now() - beganMs) / 1_000);
  times.push(`${String(Math.floor(seconds / 60)).padStart(4)}:${String(seconds % 60).padStart(2, '0')}  ${title}`);
  if (code !== 0) {
    const failure = [`failed: ${title}`, ...failuresOf(output)].join('\n    ');
    failed.push(failure);
    // Also here: a run that is stopped for time never comes to its end.
    console.error(failure);
  }
  return { isGreen: code === 0, seconds, output };
}

/** What failed in a step, once each and cut short: the end of a log then says it, however long the log is. */
function failuresOf(output) {
  const text = output.replace(PROJECT, '');
  const all = [...text.matchAll(FAILURE), ...text.matchAll(ABORT)];
  const found = new Set(all.map(([match]) => match.trim().slice(0, FAILURE_CHARACTERS)));
  return [...found].slice(0, LISTED_FAILURES);
}

import { existsSync } from 'node:fs';

import { Cleanup } from './harness/cleanup.mjs';
import { parseOptions, USAGE } from './harness/options.mjs';
import { REPOSITORY } from './harness/paths.mjs';
import { Progress } from './harness/progress.mjs';
import { Report } from './harness/report.mjs';
import { runAll } from './harness/run-all.mjs';

/** Name on the command line -> what it measures, and its module. A module is loaded only when it runs. */
const BENCHES = {
  trace: {
    summary: 'feedback rows/s and creates/s, object pages, export memory, and what `start` measures',
    load: () => import('./trace/bench.mjs'),
  },
  calls: {
    summary: 'finished calls/s against bare INSERTs, bytes per call, pages by time and op, a trace of 10,000 calls',
    load: () => import('./calls/bench.mjs'),
  },
  engine: {
    summary: 'training steps, decoding, first token, checkpoints while serving, memory, against PyTorch and llama.cpp',
    load: () => import('./engine/bench.mjs'),
  },
  gateway: {
    summary: 'requests/s, CPU per chunk, first token, aborts, memory, against a bare proxy and Portkey',
    load: () => import('./gateway/bench.mjs'),
  },
  training: {
    summary: 'start of a job, share of its gradient steps, fairness, long lists, large logs',
    load: () => import('./training/bench.mjs'),
  },
  learning: {
    summary:
      'what 300 thumbs teach by SFT, KTO, DPO and RL: the rate on held-out questions, seconds; planning 10,000 pairs',
    load: () => import('./learning/bench.mjs'),
  },
  engines: {
    summary: 'a step of training on a real SkyRL server: planning, wire, engine, and what of it is ours',
    load: () => import('./engines/bench.mjs'),
  },
  console: {
    summary: 'the console in a real Chromium: first load, scrolling 100,000 calls, 50,000 spans, 20 MB, a new call',
    load: () => import('./console/bench.mjs'),
  },
  start: {
    summary: 'time of `npm start` until ready, and resident memory',
    load: () => import('./start/bench.mjs'),
    isPartOf: 'trace',
  },
};
/** On the command line: every bench that is not a part of another. */
const ALL = 'all';

/** What must have been built; the benches run the same files as `npm start`. */
const BUILT = [
  'apps/trace/dist/main.js',
  'apps/inference-gateway/dist/main.js',
  'apps/training/dist/main.js',
  'apps/trainer/dist/main.js',
  'apps/console/dist/index.html',
  'libs/client/dist/index.js',
  'libs/testing/dist/index.js',
  'libs/database/dist/index.js',
  'libs/engine/dist/index.js',
  'libs/tinker/dist/index.js',
];

const options = parseOptions(process.argv.slice(2));
if (options.error) fail(`${options.error}\n\n${usage()}`);
if (!options.name) {
  console.log(usage());
  process.exit(0);
}
const isAll = options.name === ALL;
if (!isAll && !BENCHES[options.name]) fail(`There is no bench '${options.name}'.\n\n${usage()}`);
if (isAll && options.only.length) fail('--only chooses among the measures of one bench.');
const missing = BUILT.filter((file) => !existsSync(new URL(file, REPOSITORY)));
if (missing.length) fail(`${missing.join(', ')}: not built. Run this first:\n\n  npm ci && npm run build`);

const cleanup = new Cleanup();
const report = new Report();
const progress = new Progress();
const isFine = await (isAll ? runEach() : runMeasures(BENCHES[options.name]));
progress.step('removing what the run made');
await cleanup.run();
progress.end();
console.log(options.json ? report.json() : report.table());
process.exit(isFine ? 0 : 1);

/** @returns {Promise<boolean>} whether all went well */
function runEach() {
  const names = Object.keys(BENCHES).filter((name) => !BENCHES[name].isPartOf);
  const args = [...(options.quick ? ['--quick'] : []), ...(options.cpuProf ? ['--cpu-prof', options.cpuProf] : [])];
  return runAll(names, args, { report, cleanup });
}

/** @returns {Promise<boolean>} whether no measure failed */
async function runMeasures(bench) {
  const { measures: usual, measuresOfModel } = await bench.load();
  if (options.model && !measuresOfModel) fail(`--model is for: engine.`);
  const measures = options.model ? measuresOfModel : usual;
  const unknown = options.only.filter((name) => !Object.hasOwn(measures, name));
  if (unknown.length) fail(`--only ${unknown.join(',')}: the measures are ${Object.keys(measures).join(', ')}.`);
  const context = { options, cleanup, report, progress };
  let isFine = true;
  for (const [name, measure] of Object.entries(measures)) {
    if (options.only.length && !options.only.includes(name)) continue;
    try {
      await measure(context);
    } catch (error) {
      if (cleanup.isStopping) await new Promise(() => undefined); // the signal's handler cleans up and exits
      isFine = false;
      progress.end();
      console.error(error);
      report.add({ measure: name, value: null, unit: '', note: 'failed, see above' });
    }
  }
  return isFine;
}

function usage() {
  const benches = Object.entries(BENCHES).map(([name, { summary }]) => `  ${name.padEnd(8)} ${summary}`);
  const all = `  ${ALL.padEnd(8)} every one of them in turn, and one table of all their figures`;
  return `Usage: npm run bench -- <bench> [options]\n\nBenches:\n${[...benches, all].join('\n')}\n\n${USAGE}`;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

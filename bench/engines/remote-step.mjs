import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { openBaseModel, planningTokenizerOf, planRl, resolveRlConfig, toPlanLine } from '@hone/engine';
import { SkyrlServer } from '@hone/testing';
import { TinkerTrainingEngine } from '@hone/tinker';

import { REPOSITORY } from '../harness/paths.mjs';
import { median } from '../harness/statistics.mjs';
import { cpuMs, TimedClient } from './timed-client.mjs';

const MODEL = fileURLToPath(new URL('models/hone-tiny', REPOSITORY));
const SEQUENCES = 64;
const TOKENS = 44;
/** The server compiles in the first ones. */
const WARM_UP = 3;
const MOST_MS = 30;
const MOST_SHARE = 0.05;
const OPTIMISER = { beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weight_decay: 0.1, max_grad_norm: 0.1 };

/**
 * A step of reinforcement learning on SkyRL, 64 x 44 tokens: what Hone adds to the time of the engine. The time that this
 * process computes is ours, and everything else is the engine's, so that other work on the machine does not count as ours.
 */
export async function measureRemoteStep({ options, cleanup, progress, report }) {
  const home = process.env.HONE_ENGINES_HOME ?? fileURLToPath(new URL('.engines', REPOSITORY));
  if (!existsSync(join(home, 'skyrl/bin/python'))) {
    const note = 'SkyRL is not installed: tools/engines/install.sh skyrl does it';
    report.add({ measure: 'step on SkyRL', value: null, unit: '', note });
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), 'hone-bench-engines-'));
  cleanup.add(() => rm(folder, { recursive: true, force: true }));
  progress.step('starting SkyRL');
  const server = await SkyrlServer.start({ engine: 'skyrl' });
  cleanup.add(() => server.close());

  const steps = WARM_UP + (options.quick ? 3 : 12);
  const config = resolveRlConfig({ learning_rate: 1e-4, minibatch_size: SEQUENCES });
  const { row, planningMs } = await plan(config);
  const rows = Array.from({ length: steps }, (_, index) => ({ ...row, row: index }));
  const client = new TimedClient(settingsOf(server));
  cleanup.add(() => client.close());
  const registry = Object.fromEntries(
    ['add', 'remove', 'addWeights', 'removeWeights'].map((name) => [name, async () => undefined]),
  );
  const engine = new TinkerTrainingEngine(
    client.settings,
    { sources: { bundledDir: MODEL }, maxArchiveBytes: 1e9 },
    registry,
    client,
  );
  const found = await run(engine, client, await specOf(folder, rows, config), progress, steps);
  addRows(report, found.slice(WARM_UP), planningMs);
}

/** Of each step in milliseconds: wall time, CPU time of this process, and the part of it that requests take. */
async function run(engine, client, spec, progress, steps) {
  const found = [];
  let last = { wallMs: performance.now(), ourMs: cpuMs() };
  const sink = {
    step: async (k) => {
      const now = { wallMs: performance.now(), ourMs: cpuMs() };
      found.push({ wallMs: now.wallMs - last.wallMs, ourMs: now.ourMs - last.ourMs, wireMs: client.take() });
      progress.step(`step ${k}/${steps}`);
      last = { wallMs: performance.now(), ourMs: cpuMs() };
    },
    checkpoint: async () => undefined,
    resumePoint: async () => undefined,
    log: () => undefined,
  };
  await engine.run(spec, { cancel: new AbortController().signal }, sink);
  return found;
}

function addRows(report, steps, planningMs) {
  const of = (valueOf) => median(steps.map(valueOf));
  const ourMs = of((step) => step.ourMs);
  const engineMs = of((step) => step.wallMs - step.ourMs);
  const what = `${SEQUENCES} x ${TOKENS} tokens`;
  report.add({ measure: `planning of ${what}`, value: planningMs, unit: 'ms', note: 'once a job' });
  report.add({
    measure: `step of ${what} on SkyRL, p50 of ${steps.length}`,
    value: of((step) => step.wallMs),
    unit: 'ms',
  });
  report.add({
    measure: '  engine: two passes and the optimiser, as the client waits for them',
    value: engineMs,
    unit: 'ms',
  });
  report.add({
    measure: '  wire: encoding, HTTP, decoding',
    value: of((step) => step.wireMs),
    unit: 'ms',
  });
  report.add({
    measure: '  loss, coefficients and metrics',
    value: of((step) => step.ourMs - step.wireMs),
    unit: 'ms',
  });
  const share = ourMs / engineMs;
  report.add({
    measure: '  ours together: CPU time of this process',
    value: ourMs,
    unit: 'ms',
    target: `<= ${MOST_MS} ms, <= ${MOST_SHARE * 100} % of the engine's`,
    isMet: ourMs <= MOST_MS && share <= MOST_SHARE,
    note: `${(share * 100).toFixed(1)} % of the engine's time`,
  });
}

/** One row of rollouts, planned as a job's are. */
async function plan(config) {
  const base = await openBaseModel(MODEL);
  const context = { tokenizer: planningTokenizerOf(base), contextLength: 1_024, parentStep: 0 };
  const groups = rollouts();
  const times = [];
  let row;
  for (let time = 0; time < 5; time++) {
    const start = performance.now();
    [row] = planRl(groups, config, context).rows;
    times.push(performance.now() - start);
  }
  if (row.sequences.length !== SEQUENCES) throw new Error(`The row has ${row.sequences.length} sequences.`);
  return { row, planningMs: median(times) };
}

const rollouts = () =>
  Array.from({ length: SEQUENCES / 8 }, (_, group) => ({
    trajectories: Array.from({ length: 8 }, (_trajectory, at) => ({
      reward: at % 2,
      initial_policy_version: 0,
      messages_and_choices: [{ role: 'user', content: 'x' }, answer(group, at)],
    })),
  }));

function answer(group, at) {
  const prompt = Array.from({ length: TOKENS / 2 }, (_, index) => idOf(group * 11 + index));
  const tokens = Array.from({ length: TOKENS / 2 }, (_, index) => idOf(group * 17 + at * 29 + index * 3));
  return {
    message: { role: 'assistant', content: '' },
    finish_reason: 'stop',
    prompt_token_ids: prompt,
    token_ids: tokens,
    logprobs: { content: tokens.map((id) => ({ token: '', logprob: -2 - (id % 5) / 10 })) },
  };
}

const idOf = (number) => 10 + (number % 400);

const settingsOf = ({ url }) => ({
  kind: 'tinker',
  name: 'skyrl',
  url,
  apiKey: null,
  baseModels: new Map([['hone-tiny', { servedAs: MODEL, path: MODEL }]]),
  reduction: 'sequence_mean',
  gradientClip: 'none',
  lora: { rank: 32, alpha: 32, trainAttention: true, trainMlp: true, trainUnembed: false },
  maxBatch: SEQUENCES,
  maxContext: null,
  concurrency: 1,
  archiveHosts: [],
});

async function specOf(folder, rows, loss) {
  const text = rows.map((row) => `${toPlanLine(row)}\n`).join('');
  const path = join(folder, 'plan.jsonl');
  await writeFile(path, text);
  const sha256 = createHash('sha256').update(text).digest('hex');
  return {
    spec_version: 1,
    job_id: 'bench',
    attempt: 1,
    kind: 'rl',
    seed: 3407,
    base_model: 'hone-tiny',
    parent: null,
    reference: null,
    plan: { uri: pathToFileURL(path).href, sha256, num_sequences: rows.length },
    loss,
    optimiser: { ...OPTIMISER, learning_rate_factor: 1 },
    lora: { r: 32, alpha: 32, target_modules: [] },
    lora_asked: null,
    checkpoint_every: null,
    validation: null,
    resume: null,
    output_prefix: pathToFileURL(folder).href,
    resume_every: { steps: 1_000, seconds: 10_000 },
  };
}

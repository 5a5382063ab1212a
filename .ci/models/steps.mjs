import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';

import { killService } from '../../apps/launcher/upgrade/child-processes.mjs';
import { until } from '../running-hone.mjs';
import { Answers } from './answers.mjs';
import { improveByThumbs } from './improve.mjs';
import { learnPreferences } from './preferences.mjs';
import { HELD_OUT, KNOWN, PLAIN_TEXT } from './questions.mjs';
import { learnSums } from './sums.mjs';

const BASE = 'smollm2';
const PROJECT = { entity: 'local', project: 'models' };
const MARK = 'Ahoy! ';
/** Far more than a job takes on a machine that has nothing else to do. */
const JOB_MS = 1_800_000;
const MAX_IMPROVE_S = 1_200;
/** At each token of its answer the likeliest one leads by 0.7 nat or more: more than rounding the weights changes. */
const PARIS = [{ role: 'user', content: 'Name the capital city of France.' }];
/** What rounding may add to the perplexity of a text, relative; measured: 1.3 %. */
const ROUNDED = 0.03;
const WEATHER = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Weather of a city',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, unit: { type: 'string', enum: ['celsius', 'fahrenheit'] } },
      required: ['city', 'unit'],
      additionalProperties: false,
    },
  },
};
const COUNTRY = {
  type: 'object',
  properties: { capital: { type: 'string' }, is_island: { type: 'boolean' } },
  required: ['capital', 'is_island'],
  additionalProperties: false,
};

/** The model is there without a restart. */
export async function isListed({ hone }) {
  await until(async () => (await hone.inference.listModels()).data.some(({ id }) => id === BASE), 30_000);
}

/** Also when its prompt, or the beginning that it shares with others, is cached. */
export async function saysParis({ hone }, model = BASE) {
  const base = new Answers(hone, model);
  const answer = await base.text(PARIS);
  assert.match(answer, /\bParis\b/);
  const again = await base.text(PARIS);
  await base.text(HELD_OUT[0]);
  assert.deepEqual([again, await base.text(PARIS)], [answer, answer]);
}

/** Of a plain text. @param exact that of the same weights in float32 */
export async function keepsPerplexity({ hone }, exact, model = BASE) {
  const found = await perplexity({ hone }, model);
  assert.ok(Math.abs(found / exact - 1) <= ROUNDED, `${found.toFixed(2)}, in float32 ${exact.toFixed(2)}`);
}

export const perplexity = ({ hone }, model = BASE) => new Answers(hone, model).perplexity(PLAIN_TEXT);

/** A seed gives the same answer alone and beside others. */
export async function keepsSeeds({ hone }) {
  const base = new Answers(hone, BASE);
  const seeded = { temperature: 1, seed: 7, max_tokens: 32 };
  const alone = await base.text(PARIS, seeded);
  const [beside] = await Promise.all([base.text(PARIS, seeded), base.texts(HELD_OUT.slice(0, 5), { max_tokens: 32 })]);
  assert.equal(beside, alone);
}

export async function streams({ hone }) {
  const body = { model: BASE, temperature: 0, max_tokens: 48, messages: PARIS };
  const pieces = [];
  for await (const { choices } of hone.inference.streamChatCompletion(body))
    pieces.push(choices[0]?.delta.content ?? '');
  assert.equal(pieces.join(''), await new Answers(hone, BASE).text(PARIS));
  assert.ok(pieces.filter((piece) => piece !== '').length > 4, 'It came in one piece.');
}

export async function callsTools({ hone }) {
  const base = new Answers(hone, BASE);
  const question = { role: 'user', content: 'What is the weather in Paris, in celsius?' };
  const more = { tools: [WEATHER], tool_choice: 'required', parallel_tool_calls: false, max_tokens: 128 };
  const { message } = await base.ask([question], more);
  const [call] = message.tool_calls;
  assert.deepEqual(
    [call.function.name, JSON.parse(call.function.arguments)],
    ['get_weather', { city: 'Paris', unit: 'celsius' }],
  );
  const result = { role: 'tool', tool_call_id: call.id, content: '{"temperature": 21, "sky": "clear"}' };
  const told = await base.ask([question, message, result], { tools: [WEATHER] });
  assert.equal(typeof told.message.content, 'string');
}

export async function keepsSchemas({ hone }) {
  const more = { response_format: { type: 'json_schema', json_schema: { name: 'country', schema: COUNTRY } } };
  const question = [{ role: 'user', content: 'Tell me the capital of France, as JSON.' }];
  const answer = JSON.parse(await new Answers(hone, BASE).text(question, { ...more, max_tokens: 128 }));
  assert.equal(typeof answer.is_island, 'boolean');
  assert.match(answer.capital, /Paris/);
}

/** 64 rows of a marked style, LoRA r8 on the file's own 4 bits. */
export async function learnsStyle(story) {
  const { hone } = story;
  const base = new Answers(hone, BASE);
  const before = await base.texts(HELD_OUT, { max_tokens: 24 });
  assert.equal(before.filter(isMarked).length, 0);
  const rows = KNOWN.map(({ messages, answer }) => ({
    messages: [...messages, { role: 'assistant', content: MARK + answer }],
  }));
  const { url } = await hone.training.uploadArtifact(
    { ...PROJECT, name: 'rows' },
    rows.map((row) => JSON.stringify(row)).join('\n'),
  );
  story.sailor = await hone.training.createTrainableModel({ ...PROJECT, name: 'sailor', base_model: BASE });
  const startedMs = Date.now();
  const job = await hone.training.createSftTrainingJob({
    model_id: story.sailor.id,
    training_data_url: url,
    config: { learning_rate: 5e-4, batch_size: 4, n_epochs: 2, lr_schedule: 'linear' },
  });
  await hasSucceeded(hone, job);
  const seconds = Math.round((Date.now() - startedMs) / 1_000);
  const sailor = new Answers(hone, 'hone-artifact:///local/models/sailor');
  const after = await sailor.texts(HELD_OUT, { max_tokens: 24 });
  const share = after.filter(isMarked).length / HELD_OUT.length;
  const [plain, trained] = [await base.perplexity(PLAIN_TEXT), await sailor.perplexity(PLAIN_TEXT)];
  console.log(
    `        ${seconds} s; ${Math.round(share * 100)} % of ${HELD_OUT.length} other questions in the style; ` +
      `perplexity ${plain.toFixed(2)}, then ${trained.toFixed(2)}`,
  );
  assert.ok(
    share >= 0.9,
    `${share} of the answers are in the style: ${after.filter((text) => !isMarked(text)).join(' | ')}`,
  );
  assert.ok(trained <= 1.1 * plain, 'The perplexity of a plain text rose by more than 10 %.');
}

/** DPO at the default settings, on pairs that differ in a marked style. HONE_MODELS_LONG=1: on 200 of them. */
export async function prefersStyle({ hone }) {
  const isLong = process.env.HONE_MODELS_LONG === '1';
  const hasEnded = (job) => hasSucceeded(hone, job);
  const found = await learnPreferences({ hone, base: BASE, mark: MARK, isLong, hasSucceeded: hasEnded });
  const { pairs, seconds, accuracy, margin, plain, trained } = found;
  console.log(
    `        ${pairs} pairs in ${Math.round(seconds)} s; ${Math.round(accuracy * 100)} % of other pairs preferred as chosen, ` +
      `margin ${margin.toFixed(2)}; perplexity ${plain.toFixed(2)}, then ${trained.toFixed(2)}`,
  );
  assert.ok(accuracy >= 0.8, `${accuracy} of the held-out pairs are preferred as chosen.`);
  assert.ok(trained <= 1.1 * plain, 'The perplexity of a plain text rose by more than 10 %.');
}

/** One request, which takes what it learns from, decides and promotes by itself. */
export async function improvesByThumbs({ hone }) {
  const { liked, seconds, candidates, sentence } = await improveByThumbs({ hone, base: BASE });
  console.log(`        ${Math.round(liked * 100)} % of 300 answers liked; ${Math.round(seconds)} s: ${sentence}`);
  for (const { method, win_rate: rate } of candidates.filter((one) => one.win_rate !== null))
    console.log(
      `        ${method}: wins ${shares([rate.estimate, rate.low, rate.high])} of ${rate.rows} held-out rows`,
    );
  const best = candidates.find(({ state }) => state === 'promoted');
  assert.ok(best?.win_rate.low > 0.5, 'Nothing is proven to be better.');
  assert.ok(seconds <= MAX_IMPROVE_S, `It took ${seconds} s.`);
}

const shares = ([estimate, low, high]) =>
  `${Math.round(estimate * 100)} % (${Math.round(low * 100)} to ${Math.round(high * 100)} %)`;

/**
 * Out as an adapter that PEFT reads, and in again; both and their base answer in one batch. There, the number of other
 * adapters decides the order of sums in a packed model, so that equal answers are asked for apart, with a seed.
 */
export async function movesAdapter({ hone, sailor }) {
  const { data } = await hone.training.listCheckpoints({ model_id: sailor.id, order: 'desc', limit: 1 });
  const archive = await hone.training.downloadCheckpoint({ model_id: sailor.id, step: String(data[0].step) });
  const mate = await hone.training.createTrainableModel({ ...PROJECT, name: 'mate', base_model: BASE });
  await hone.training.importCheckpoint({ model_id: mate.id }, Buffer.from(await archive.arrayBuffer()));
  const models = [BASE, 'hone-artifact:///local/models/sailor', 'hone-artifact:///local/models/mate'];
  const questions = HELD_OUT.slice(0, 5);
  const ask = (model, more) => new Answers(hone, model).texts(questions, { max_tokens: 16, ...more });
  const [plain, ...marked] = await Promise.all(models.map((model) => ask(model)));
  assert.equal(plain.filter(isMarked).length, 0);
  for (const texts of marked) assert.ok(texts.filter(isMarked).length >= 4);
  const [, trained, imported] = models;
  assert.deepEqual(await ask(imported, { seed: 1 }), await ask(trained, { seed: 1 }));
}

/** HONE_MODELS_LONG=1: until the share of right answers has risen by 25 points; else one job. */
export async function learnsSums({ hone }) {
  const isLong = process.env.HONE_MODELS_LONG === '1';
  const model = await hone.training.createTrainableModel({ ...PROJECT, name: 'sums', base_model: BASE });
  const { before, after, jobs, hasRisen } = await learnSums({
    hone,
    model,
    isLong,
    hasSucceeded: (job) => hasSucceeded(hone, job),
  });
  const percent = (share) => `${Math.round(share * 100)} %`;
  if (before !== null) console.log(`        valid and right: ${percent(before)}, after ${jobs} jobs ${percent(after)}`);
  if (isLong) assert.ok(hasRisen, 'The share of right answers did not rise by 25 points.');
}

/** The same job twice, the second time with a kill -9 of the trainer between two of its checkpoints: the same adapter. */
export async function survivesKill({ hone, launcherPid }) {
  const rows = KNOWN.slice(0, 12).map(({ messages, answer }) => ({
    messages: [...messages, { role: 'assistant', content: answer }],
  }));
  const { url } = await hone.training.uploadArtifact(
    { ...PROJECT, name: 'few' },
    rows.map((row) => JSON.stringify(row)).join('\n'),
  );
  const hashes = [];
  for (const name of ['spared', 'killed']) {
    const model = await hone.training.createTrainableModel({ ...PROJECT, name, base_model: BASE });
    const job = await hone.training.createSftTrainingJob({
      model_id: model.id,
      training_data_url: url,
      config: { learning_rate: 5e-4, batch_size: 2, n_epochs: 1, checkpoint_every: 2 },
    });
    if (name === 'killed') {
      await until(async () => (await progressOf(hone, job)).gradient_steps_done >= 3);
      await killService(launcherPid, 'trainer');
      assert.ok((await progressOf(hone, job)).gradient_steps_done < 6, 'It was done before it was killed.');
    }
    await hasSucceeded(hone, job);
    const { data } = await hone.training.listCheckpoints({ model_id: model.id, order: 'asc', limit: 10 });
    assert.equal(data.length, 3);
    for (const { step } of data) hashes.push(await adapterHash(hone, model, step));
  }
  assert.deepEqual(hashes.slice(3), hashes.slice(0, 3));
}

const progressOf = async (hone, { id }) => (await hone.training.getTrainingJob({ training_job_id: id })).progress;

/** SHA-256 of the weights in a checkpoint's archive. */
async function adapterHash(hone, { id }, step) {
  const archive = await hone.training.downloadCheckpoint({ model_id: id, step: String(step) });
  const input = Buffer.from(await archive.arrayBuffer());
  const { status, stdout } = spawnSync('tar', ['-xzO', '--wildcards', '*adapter_model.safetensors'], {
    input,
    maxBuffer: 2 ** 28,
  });
  assert.ok(status === 0 && stdout.length > 0, 'The archive holds no adapter.');
  return createHash('sha256').update(stdout).digest('hex');
}

const isMarked = (text) => text.startsWith(MARK);

async function hasSucceeded(hone, { id }) {
  const job = await until(async () => {
    const found = await hone.training.getTrainingJob({ training_job_id: id });
    return ['succeeded', 'failed', 'cancelled'].includes(found.status) && found;
  }, JOB_MS);
  assert.equal(job.status, 'succeeded', JSON.stringify(job.error));
}

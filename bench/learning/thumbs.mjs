import { setTimeout as sleep } from 'node:timers/promises';

import { Hone } from '@hone/client';
import { FAMILIES, heldOutExamples, practiceExamples } from '@hone/engine/hone-tiny';
import { wilsonInterval } from '@hone/statistics';

import { RunningHone } from '../../.ci/running-hone.mjs';
import { mean } from '../harness/statistics.mjs';

const QUESTIONS = 75;
const SAMPLES = 4;
const HELD_OUT = 150;
const SEEDS = [1, 2, 3];
const AT_ONCE = 8;
const MAX_TOKENS = 24;
/** How far the rate of liked answers must rise, and within which time, with what preferences learn from. */
const MIN_GAIN = 0.15;
const MAX_S = 90;

const FAMILY = FAMILIES.find(({ name }) => name === 'subtract');
/** What people like, which no client tells the server: a bare number, not a sentence. About 60 % of the answers are. */
const isLiked = (text) => /^\d+$/.test(text);

/**
 * Four ways to learn from the same 300 thumbs over HTTP: fine-tuning on the liked answers, KTO on all, DPO on pairs of
 * one question, and reinforcement learning with the thumbs as rewards. The rate of liked answers to held-out questions,
 * sampled at temperature 1, before and after; three seeds, each with thumbs of its own.
 */
export async function measureThumbs({ options, progress, report, cleanup }) {
  progress.step('learning: starting Hone');
  const running = await RunningHone.start();
  cleanup.add(() => running.remove());
  const hone = new Hone({ baseUrl: running.url, apiKey: running.key });
  const seeds = options.quick ? SEEDS.slice(0, 1) : SEEDS;
  const before = await rateOf(hone, 'hone-tiny');
  const outcomes = new Map(Object.keys(METHODS).map((name) => [name, []]));
  for (const seed of seeds) {
    const thumbs = await collect(hone, seed);
    for (const [name, method] of Object.entries(METHODS)) {
      progress.step(`learning: ${name}, seed ${seed}`);
      outcomes.get(name).push(await learn(hone, method, thumbs, seed));
    }
  }
  const rate = (counts) =>
    counts.reduce((sum, { liked }) => sum + liked, 0) / counts.reduce((sum, { all }) => sum + all, 0);
  report.add({
    measure: 'held-out answers that are liked, before',
    value: 100 * rate([before]),
    unit: '%',
    note: told([before]),
  });
  for (const [name, of] of outcomes) {
    const value = rate(of);
    const seconds = mean(of.map((one) => one.seconds));
    const isJudged = name.startsWith('KTO') || name.startsWith('DPO');
    report.add({
      measure: name,
      value: 100 * value,
      unit: '%',
      peer: 100 * rate([before]),
      peerName: 'before',
      ...(isJudged && {
        target: `>= ${100 * MIN_GAIN} points, <= ${MAX_S} s`,
        isMet: value - rate([before]) >= MIN_GAIN && seconds <= MAX_S,
      }),
      note: `${told(of)}; each seed ${of.map((one) => `${Math.round(100 * rate([one]))} %`).join(', ')}; a job of ${seconds.toFixed(1)} s, ${of[0].steps} steps on ${of[0].lines} lines`,
    });
  }
}

/** The 95 % interval of Wilson over all samples. */
function told(counts) {
  const [liked, all] = ['liked', 'all'].map((name) => counts.reduce((sum, one) => sum + one[name], 0));
  const { low, high } = wilsonInterval(liked, all);
  return `${liked} of ${all}, 95 % interval ${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)} %`;
}

const questionOf = ({ messages }) => messages.filter(({ role }) => role !== 'assistant');
const dataUrl = (lines) =>
  `data:application/jsonl;base64,${Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n')).toString('base64')}`;
const fromLines = (send, toLines, config) => ({
  send,
  toBody: (thumbs) => ({ training_data_url: dataUrl(thumbs.flatMap(toLines)), config }),
});
const answersOf = ({ completion }) => completion.choices.map(({ message }) => message.content);
const bySide = (thumb) => [answersOf(thumb).filter(isLiked), answersOf(thumb).filter((text) => !isLiked(text))];

/** Each with the settings that its guide names; the learning rate is the default of the server. */
const METHODS = {
  'SFT on the liked answers': fromLines(
    'createSftTrainingJob',
    (thumb) => bySide(thumb)[0].map((content) => ({ messages: [...thumb.question, { role: 'assistant', content }] })),
    { n_epochs: 1 },
  ),
  'KTO on all answers': fromLines(
    'createPreferenceTrainingJob',
    (thumb) =>
      answersOf(thumb).map((completion) => ({ messages: thumb.question, completion, label: isLiked(completion) })),
    { method: 'kto' },
  ),
  'DPO on pairs of one question': fromLines(
    'createPreferenceTrainingJob',
    (thumb) => {
      const [liked, others] = bySide(thumb);
      return liked
        .slice(0, others.length)
        .map((chosen, at) => ({ messages: thumb.question, chosen, rejected: others[at] }));
    },
    { method: 'dpo', n_epochs: 3 },
  ),
  'RL with the thumbs as rewards': {
    send: 'createTrainingJob',
    toBody: (thumbs) => ({
      trajectory_groups: thumbs.map(({ question, completion: { choices, prompt_token_ids } }) => ({
        trajectories: choices.map((choice) => ({
          reward: isLiked(choice.message.content) ? 1 : 0,
          messages_and_choices: [...question, { prompt_token_ids, ...choice }],
        })),
      })),
    }),
  },
};

async function collect(hone, seed) {
  const questions = practiceExamples(FAMILY, 1_000 + seed, QUESTIONS).map(questionOf);
  return mapped(questions, async (question, at) => ({
    question,
    completion: await ask(hone, 'hone-tiny', question, SAMPLES, seed * 10_000 + at * SAMPLES, {
      logprobs: true,
      return_token_ids: true,
    }),
  }));
}

async function learn(hone, { send, toBody }, thumbs, seed) {
  const name = `learning-${Date.now().toString(36)}`;
  const model = await hone.training.createTrainableModel({ project: 'bench', name, base_model: 'hone-tiny' });
  const created = await hone.training[send]({ model_id: model.id, ...toBody(thumbs) });
  let job = created;
  while (!['succeeded', 'failed', 'cancelled'].includes(job.status)) {
    await sleep(200);
    job = await hone.training.getTrainingJob({ training_job_id: created.id });
  }
  if (job.status !== 'succeeded') throw new Error(`A job ${job.status}: ${job.error?.message}`);
  const { inference_name: trained } = await hone.training.getTrainableModel({ model_id: model.id });
  const seconds = (job.timings_ms.preparing + job.timings_ms.running) / 1_000;
  return {
    ...(await rateOf(hone, trained, seed)),
    seconds,
    steps: job.progress.gradient_steps_total,
    lines: job.data.trajectories_trained,
  };
}

/** How many answers to held-out questions are liked. */
async function rateOf(hone, model, seed = 0) {
  const questions = heldOutExamples(FAMILY, 77, HELD_OUT).map(questionOf);
  const found = await mapped(questions, async (question, at) =>
    answersOf({ completion: await ask(hone, model, question, 2, seed * 1_000 + at * 2) }),
  );
  const texts = found.flat();
  return { liked: texts.filter(isLiked).length, all: texts.length };
}

const ask = (hone, model, messages, n, seed, more = {}) =>
  hone.inference.createChatCompletion({ model, messages, temperature: 1, n, max_tokens: MAX_TOKENS, seed, ...more });

async function mapped(items, work) {
  const results = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const at = next++;
      results[at] = await work(items[at], at);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}

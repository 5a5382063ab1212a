import { loadavg } from 'node:os';

import { resolvePreferenceConfig } from '@hone/engine';

import { median } from '../../harness/statistics.mjs';
import { inTurns } from '../in-turns.mjs';
import { numbers } from '../numbers.mjs';
import { trainingJob } from '../training-job.mjs';
import { ownModel } from './model.mjs';
import { NO_PEFT, openTrl } from './peft-peer.mjs';

const PAIRS = 4;
const PROMPT = 32;
const ANSWER = 96;
const THREADS = 2;
const MIN_RATIO = 1;
/** Of the first loss, which is ln 2 whatever the adapter begins with: the model is its reference then. */
const LOSS_TOLERANCE = 1e-4;
/** How far the losses of the two may fall apart: their adapters begin with different random numbers. */
const MAX_FALL_RATIO = 1.5;

/**
 * Steps of DPO in a child process, as the trainer runs them, beside TRL with PEFT, on the same pairs. Both score the reference
 * once: Hone in the first step of each job, which is not timed, TRL before its first step.
 */
export async function measureOwnPreference(context) {
  const { options, progress, report } = context;
  const { base, file } = await ownModel(context);
  progress.step('own model: learning from preferences');
  const trl = await openTrl(context, file, THREADS, pairsOf(base.config.vocabSize));
  const steps = options.quick ? 2 : 4;
  const losses = { hone: [], trl: [] };
  // The first step of a turn warms up. Each turn of Hone is a job of its own, TRL goes on.
  const ms = await inTurns(
    options.quick ? 1 : 3,
    {
      hone: async () => median((await honeSteps(context, base, steps + 1, losses.hone)).slice(1)),
      ...(trl && {
        trl: async () => {
          const answer = await trl.take(steps + 1);
          losses.trl.push(...answer.losses);
          return median(answer.ms.slice(1));
        },
      }),
    },
    (round) => progress.detail(`round ${round}`),
  );
  await trl?.close();
  const fell = fallOf(losses.hone, steps, 'Hone');
  if (trl) assertAlike(fell, fallOf(losses.trl, steps, 'TRL'));
  const tokens = 2 * PAIRS * (PROMPT + ANSWER);
  const [value, peer] = [ms.hone, ms.trl].map((of) => of && (tokens * 1_000) / median(of));
  report.add({
    ...{ measure: `DPO step, LoRA r8, ${PAIRS} pairs of 2 x ${PROMPT + ANSWER} tokens, f32`, value, unit: 'tokens/s' },
    ...(trl && {
      peer,
      peerName: 'TRL + PEFT, f32',
      target: `ratio >= ${MIN_RATIO}`,
      isMet: value >= MIN_RATIO * peer,
    }),
    note: trl ? `load of the machine at the end: ${loadavg()[0].toFixed(1)}` : NO_PEFT,
  });
}

/** Milliseconds between the reports of steps. */
async function honeSteps(context, base, steps, losses) {
  const { method, beta, label_smoothing, lambda, reference } = resolvePreferenceConfig({ method: 'dpo' });
  const preference = { method, beta, label_smoothing, lambda, reference };
  const job = await trainingJob(context, steps + 1, { base, rows: pairRows, weights: 'f32', preference });
  const times = [];
  await job.run((_, { loss }) => {
    times.push(performance.now());
    losses.push(loss);
  });
  return times.slice(1).map((time, index) => time - times[index]);
}

/** Pairs of random tokens, the same in each run. */
function pairsOf(vocabSize) {
  const next = numbers(7);
  const ids = (count) => Array.from({ length: count }, () => next() % vocabSize);
  return Array.from({ length: PAIRS }, () => ({
    ...{ prompt_ids: ids(PROMPT), chosen_ids: ids(ANSWER), rejected_ids: ids(ANSWER) },
  }));
}

function pairRows(vocabSize) {
  const trained = Array.from({ length: ANSWER }, (_, at) => PROMPT + at);
  return pairsOf(vocabSize).flatMap(({ prompt_ids, chosen_ids, rejected_ids }) => [
    { ids: [...prompt_ids, ...chosen_ids], trained, role: 'chosen' },
    { ids: [...prompt_ids, ...rejected_ids], trained, role: 'rejected' },
  ]);
}

/**
 * How far the loss has fallen in the first steps.
 *
 * @throws when it begins elsewhere than DPO from its own reference, or a step does not lower it
 */
function fallOf(losses, steps, name) {
  const first = losses.slice(0, steps + 1);
  if (Math.abs(first[0] - Math.LN2) > LOSS_TOLERANCE)
    throw new Error(`${name}'s first loss is ${first[0]}, expected ${Math.LN2}`);
  if (first.some((loss, at) => at > 0 && !(loss < first[at - 1])))
    throw new Error(`${name}'s losses do not fall: ${first.join(', ')}`);
  return first[0] - first[steps];
}

/** @throws when one learns much faster */
function assertAlike(hone, trl) {
  if (Math.max(hone / trl, trl / hone) > MAX_FALL_RATIO)
    throw new Error(`Hone's loss fell by ${hone}, TRL's by ${trl} in as many steps`);
}

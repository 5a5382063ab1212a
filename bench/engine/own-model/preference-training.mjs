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

/** Steps of DPO in a child process, as the trainer runs them, beside TRL with PEFT; the reference is scored before. */
export async function measureOwnPreference(context) {
  const { options, progress, report } = context;
  const { base, file } = await ownModel(context);
  progress.step('own model: learning from preferences');
  const trl = await openTrl(context, file, THREADS);
  const steps = options.quick ? 2 : 4;
  const losses = { hone: [], trl: [] };
  // The first step of a turn warms up.
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
  assertLn2(losses.hone[0], 'Hone');
  if (trl) assertLn2(losses.trl[0], 'TRL');
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

function pairRows(vocabSize) {
  const next = numbers(7);
  const ids = (count) => Array.from({ length: count }, () => next() % vocabSize);
  const trained = Array.from({ length: ANSWER }, (_, at) => PROMPT + at);
  return Array.from({ length: PAIRS }, () => ids(PROMPT)).flatMap((prompt) =>
    ['chosen', 'rejected'].map((role) => ({ ids: [...prompt, ...ids(ANSWER)], trained, role })),
  );
}

/** @throws when it computes something else than DPO from its own reference */
function assertLn2(loss, name) {
  if (Math.abs(loss - Math.LN2) > LOSS_TOLERANCE)
    throw new Error(`${name}'s first loss is ${loss}, expected ${Math.LN2}`);
}

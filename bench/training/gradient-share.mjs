import { fileURLToPath } from 'node:url';

import { openBaseModel, planningTokenizerOf, planSft, resolveSftConfig } from '@hone/engine';

import { REPOSITORY } from '../harness/paths.mjs';
import { sftLine, TrainingWorld } from './world.mjs';

const STEPS = 30;
const BATCH = 64;
const WORDS = 36;
const TARGET = 0.8;

/** How much of a job's time, from the request that creates it to its end, the engine spends in gradient steps. */
export async function measureGradientShare(context) {
  const { options, progress, report } = context;
  const world = await TrainingWorld.of(context);
  const trainer = await world.startTrainer();
  const { id } = await world.createModel('share', 'one');
  const batch = options.quick ? 8 : BATCH;
  const lines = Array.from({ length: STEPS * batch }, (_, seed) => sftLine(seed, WORDS));
  progress.step(`a job of ${STEPS} steps`);
  const job = await world.untilEnded((await world.createSftJob(id, lines, batch)).id);
  const events = await world.eventsOf(job.id);
  await trainer.stop();
  const inSteps = sum(await secondsOfSteps(events, lines, batch));
  const secondsTo = (time) => (Date.parse(time) - Date.parse(job.created_at)) / 1_000;
  const seconds = secondsTo(job.finished_at);
  const planned = secondsTo(events.find(({ type }) => type === 'training_started').created_at);
  const share = inSteps / seconds;
  report.add({
    measure: `share of a ${STEPS}-step job inside its gradient steps`,
    value: share,
    unit: '',
    target: `>= ${TARGET}`,
    isMet: share >= TARGET,
    note:
      `${inSteps.toFixed(1)} s of ${seconds.toFixed(1)} s, the first ${planned.toFixed(1)} s planning; ` +
      `${batch} conversations of ${WORDS} words a step`,
  });
}

/**
 * How long each step took. Its event reports tokens per second, context included; the number of tokens is planned here
 * again, as the event reports the trained ones only.
 */
async function secondsOfSteps(events, lines, batch) {
  const base = await openBaseModel(fileURLToPath(new URL('models/hone-tiny', REPOSITORY)));
  const context = { tokenizer: planningTokenizerOf(base), contextLength: base.config.maxPositions };
  const texts = lines.map((line) => JSON.stringify(line));
  const { rows } = await planSft(texts, resolveSftConfig({ batch_size: batch }), context);
  const steps = events.filter(({ type }) => type === 'gradient_step').map(({ data }) => data);
  return rows.map(({ sequences }, row) => {
    const trained = sum(sequences.map(({ mask }) => sum(mask)));
    if (steps[row]?.num_trainable_tokens !== trained) throw new Error(`step ${row + 1} is not what was planned`);
    return sum(sequences.map(({ ids }) => ids.length)) / steps[row].tokens_per_second;
  });
}

const sum = (values) => values.reduce((total, value) => total + value, 0);

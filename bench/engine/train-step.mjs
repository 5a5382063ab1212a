import { Tensor } from 'onnxruntime-node';

import { startLora } from '../../libs/engine/dist/job/lora-start.js';
import { openSession } from '../../libs/engine/dist/runtime/session.js';
import { MicroBatchFeeds } from '../../libs/engine/dist/train/micro-batch-feeds.js';
import { planMicroBatches } from '../../libs/engine/dist/train/micro-batches.js';
import { buildTrainGraph } from '../../libs/engine/dist/train/train-graph.js';
import { PROJECTIONS, trainedLayout } from '../../libs/engine/dist/train/trained-parameters.js';
import { freshState, Trainer } from '../../libs/engine/dist/train/trainer.js';
import { median } from '../harness/statistics.mjs';
import { baseModel } from './base-model.mjs';
import { inTurns } from './in-turns.mjs';
import { openTorch } from './torch-peer.mjs';
import { trainRow } from './train-row.mjs';

export const THREADS = 2;
const LEARNING_RATE = 1e-4;
const OPTIMISER = { beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0.1, maxGradientNorm: 0.1 };
const LORA = { rank: 8, alpha: 16, targets: PROJECTIONS };
const CISPO = {
  kind: 'rl',
  lossFn: 'cispo',
  epsilon: 1,
  epsilonHigh: 4,
  level: 'token',
  truncation: null,
  maxRatio: null,
  maskOutsideClip: false,
  tau: 0,
};
const MAX_OVER_RAW = 1.15;
const MAX_OVER_TORCH = 0.7;
/** The graph sums in another order than PyTorch. */
const LOSS_TOLERANCE = 1e-4;

/** One gradient step as jobs take it, against the same graph run bare and against PyTorch. */
export async function measureTrainStep(context) {
  const { options, progress } = context;
  progress.step('training step: opening');
  const step = await openStep(context);
  const torch = await openTorch(context, step);
  const [rounds, perTurn] = options.quick ? [3, 3] : [12, 5];
  const losses = { hone: [], torch: [] };
  const sides = {
    hone: async () => median(await timed(perTurn, async () => losses.hone.push((await step.take()).loss))),
    raw: async () => median(await timed(perTurn, step.runBare)),
    ...(torch.take && {
      torch: async () => {
        const answer = await torch.take(perTurn);
        losses.torch.push(...answer.losses);
        return median(answer.ms);
      },
    }),
  };
  progress.step('training step, 16 x 128 tokens');
  const ms = await inTurns(rounds, sides, (round) => progress.detail(`round ${round} of ${rounds}`));
  await step.close();
  await torch.close?.();
  report(context, ms, torch.absence, torch.take && largestDifference(losses));
}

async function openStep(context) {
  const { config, directory, loadWeights } = await opened(context);
  const weights = await loadWeights();
  const settings = { config, part: { kind: 'lora', lora: LORA }, loss: CISPO, optimiser: OPTIMISER };
  const layout = trainedLayout(config, settings.part);
  const trainer = new Trainer(settings, weights, freshState(startLora(layout, 1, LORA)), THREADS);
  const row = await withOld(trainer, trainRow(config.vocabSize));
  const bare = await bareRun(settings, weights, row, trainer.current);
  return {
    directory,
    settings,
    row,
    adapter: layout.unflatten(trainer.current.parameters),
    learningRate: LEARNING_RATE,
    threads: THREADS,
    take: () => trainer.step(row, LEARNING_RATE),
    runBare: bare.run,
    close: () => Promise.all([trainer.release(), bare.release()]),
  };
}

async function opened(context) {
  const base = await baseModel(context);
  return { config: base.config, directory: base.directory, loadWeights: () => base.loadWeights() };
}

/** The log-probabilities of the policy that is trained: every ratio starts at 1. */
async function withOld(trainer, row) {
  const scores = await trainer.score(row);
  return row.map((sequence, index) => ({ ...sequence, old: Array.from(scores[index].lp) }));
}

/** The graph that a step of one pass runs, with the inputs that it would be fed, and nothing around it. */
async function bareRun(settings, weights, row, state) {
  const session = await openSession(buildTrainGraph(settings, 'update'), THREADS);
  const [batch, ...more] = planMicroBatches(row, settings.config);
  if (more.length > 0) throw new Error('the row is to fit one pass');
  const vector = (data) => new Tensor('float32', data, [data.length]);
  const known = {
    ...Object.fromEntries([...weights].map(([name, { data, shape }]) => [name, new Tensor('float32', data, shape)])),
    ...new MicroBatchFeeds(settings.config, settings.loss).feed(row, batch, 'loss'),
    parameters: vector(state.parameters),
    gradientSoFar: vector(new Float32Array(state.parameters.length)),
    firstMoment: vector(state.firstMoment),
    secondMoment: vector(state.secondMoment),
    ...scalars({ learningRate: LEARNING_RATE, correction1: 1, correction2: 1 }),
  };
  const feeds = Object.fromEntries(session.inputNames.map((name) => [name, known[name]]));
  return { run: () => session.run(feeds), release: () => session.release() };
}

const scalars = (values) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, new Tensor('float32', [value], [])]));

async function timed(times, work) {
  const ms = [];
  for (let index = 0; index < times; index++) {
    const begin = performance.now();
    await work();
    ms.push(performance.now() - begin);
  }
  return ms;
}

/**
 * Of the losses that both computed, relative to their size.
 *
 * @throws when they are not the same: one of the two then computes something else
 */
function largestDifference({ hone, torch }) {
  const size = Math.max(...hone.map(Math.abs));
  const differences = hone.map((loss, step) => Math.abs(loss - torch[step]) / size);
  const wrong = differences.findIndex((difference) => !(difference < LOSS_TOLERANCE));
  if (wrong >= 0) throw new Error(`in step ${wrong + 1} the loss is ${hone[wrong]}, PyTorch's ${torch[wrong]}`);
  return Math.max(...differences);
}

function report({ report }, ms, torchAbsence, lossDifference) {
  const row = { measure: 'training step, LoRA r8, 16 x 128 tokens', value: median(ms.hone), unit: 'ms' };
  const isRawMet = median(ms.hone) <= MAX_OVER_RAW * median(ms.raw);
  report.add({
    ...row,
    peer: median(ms.raw),
    peerName: 'the bare graph',
    target: `ratio <= ${MAX_OVER_RAW}`,
    isMet: isRawMet,
    note: `${Math.round(2_048_000 / median(ms.hone)).toLocaleString('en-US')} tokens/s`,
  });
  const against = { ...row, measure: '  the same against PyTorch' };
  if (torchAbsence) return report.add({ ...against, note: torchAbsence });
  report.add({
    ...against,
    peer: median(ms.torch),
    peerName: 'PyTorch',
    target: `ratio <= ${MAX_OVER_TORCH}`,
    isMet: median(ms.hone) <= MAX_OVER_TORCH * median(ms.torch),
    note: `its losses over all steps are the same to ${lossDifference.toExponential(0)}`,
  });
}

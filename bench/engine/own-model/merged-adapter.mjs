import { mean } from '../../harness/statistics.mjs';
import { promptScores, serveFolder } from '../serving.mjs';
import { trainingJob } from '../training-job.mjs';
import { ownModel, proseIds } from './model.mjs';
import { mergedByPeft, NO_PEFT } from './peft-peer.mjs';

const TOKENS = 200;
const ROWS = 8;
const ROW_TOKENS = 32;
const STEPS = 6;
/** Far above what a job takes, so that a few steps change every log-probability. */
const LEARNING_RATE = 2e-3;
const MAX_NATS = 0.02;
/** The adapter must change the numbers by far more than that. */
const MIN_CHANGE = 10 * MAX_NATS;

/**
 * An adapter trained on the file's own few bits, merged by PEFT into the weights that PyTorch reads from the same file:
 * what training corrects is the model that others have, too.
 */
export async function measureMergedAdapter(context) {
  const { progress, report } = context;
  const { base, directory, file } = await ownModel(context);
  progress.step('own model: an adapter merged by PEFT');
  const prose = await proseIds(base);
  const job = await trainingJob(context, STEPS, {
    ...{ base, weights: 'auto', learningRate: LEARNING_RATE },
    rows: () =>
      Array.from({ length: ROWS }, (_, index) => trainedOn(prose.slice(index * ROW_TOKENS, (index + 1) * ROW_TOKENS))),
  });
  const checkpoint = await job.run();
  const ids = prose.slice(0, TOKENS + 1);
  const serving = await serveFolder(directory, { weights: 'f32' });
  const close = context.cleanup.add(() => serving.engine.close());
  const [before, ours] = [
    await promptScores(serving, ids),
    await promptScores(serving, ids, { id: 'trained', directory: checkpoint }),
  ];
  await close();
  const peer = await mergedByPeft(context, file, checkpoint, ids);
  const difference = peer && largestDifference(ours, peer);
  const change = mean(ours.map((lp, at) => Math.abs(lp - before[at])));
  report.add({
    ...{ measure: 'an adapter merged by PEFT, log-probabilities', value: difference, unit: 'nat apart at most' },
    ...(peer && { target: `<= ${MAX_NATS}`, isMet: difference <= MAX_NATS && change >= MIN_CHANGE }),
    note: peer ? `${TOKENS} tokens, which the adapter changed by ${change.toFixed(2)} nat on average` : NO_PEFT,
  });
}

const trainedOn = (ids) => ({ ids, trained: ids.slice(1).map((_, at) => at + 1), advantage: [1] });

const largestDifference = (ours, others) => Math.max(...ours.map((lp, at) => Math.abs(lp - others[at])));

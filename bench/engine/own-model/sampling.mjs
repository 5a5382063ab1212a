import { PLAIN_SAMPLING } from '@hone/engine';

import { topTokens } from '../../../libs/engine/dist/decode/sampling/log-probabilities.js';
import { SamplingBuffers, TokenSampler } from '../../../libs/engine/dist/decode/sampling/token-sampler.js';
import { numbers } from '../numbers.mjs';

const VOCABULARY = 152_000;
const TOP_LOGPROBS = 20;
const MAX_MS = 1;
const WARM_UP = 100;
const SETTINGS = {
  ...PLAIN_SAMPLING,
  temperature: 0.8,
  topK: 50,
  topP: 0.9,
  presencePenalty: 0.5,
  frequencyPenalty: 0.5,
  seed: 1n,
};

/** One token with top-k, top-p, penalties and the log-probabilities of the likeliest, over a large vocabulary. */
export async function measureSampling({ options, progress, report }) {
  progress.step(`sampling from ${VOCABULARY.toLocaleString('en-US')} tokens`);
  const next = numbers(3);
  const prompt = Array.from({ length: 500 }, () => next() % VOCABULARY);
  const sampler = new TokenSampler(SETTINGS, new SamplingBuffers(VOCABULARY), prompt, [], null);
  const tables = Array.from({ length: 8 }, () => logProbabilities(next));
  const take = (count) => {
    for (let index = 0; index < count; index++) {
      const table = tables[index % tables.length];
      sampler.accept(sampler.sample(table, 5, null));
      topTokens(table, TOP_LOGPROBS);
    }
  };
  take(WARM_UP);
  const count = options.quick ? 100 : 1_000;
  const before = process.cpuUsage();
  take(count);
  const { user, system } = process.cpuUsage(before);
  const value = (user + system) / 1_000 / count;
  report.add({
    measure: 'processor time of a token by top-k, top-p, penalties, with 20 log-probabilities, of 152,000',
    ...{ value, unit: 'ms', target: `<= ${MAX_MS} ms`, isMet: value <= MAX_MS },
  });
}

/** Spread as those of a model are: most tokens are far from the likeliest. */
function logProbabilities(next) {
  const uniform = () => ((next() % 65_536) + 0.5) / 65_536;
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  const logits = Float32Array.from({ length: VOCABULARY }, () => 2.5 * normal());
  const partition = Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit), 0));
  return logits.map((logit) => logit - partition);
}

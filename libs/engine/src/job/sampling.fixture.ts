import { fileURLToPath } from 'node:url';

import { mergeAdapter, readCheckpoint } from '../checkpoints/index.js';
import { toDecoderTensors } from '../decode/graph/decoder-tensors.js';
import { LlamaDecoder } from '../decode/llama-decoder.js';
import { type BaseModel } from '../model/base-model.js';
import { SplitMix64 } from '../plan/split-mix64.js';
import type { StoredPart } from './training-spec.js';

interface Options {
  readonly maxTokens: number;
  readonly temperature: 0 | 1;
  readonly seed: number;
}

/** Answers of a model at a checkpoint, with the decoder that serves and one plain draw per token. */
export async function sampleAnswers(
  base: BaseModel,
  checkpoint: StoredPart | null,
  prompts: readonly (readonly number[])[],
  { maxTokens, temperature, seed }: Options,
): Promise<{ ids: number[]; logprobs: number[] }[]> {
  const weights = toDecoderTensors(base.config, await weightsAt(base, checkpoint));
  const decoder = await LlamaDecoder.open(base.config, base.config.maxPositions, 1);
  const random = new SplitMix64(seed);
  const answers: { ids: number[]; logprobs: number[] }[] = [];
  for (const prompt of prompts) {
    const answer = { ids: [] as number[], logprobs: [] as number[] };
    while (answer.ids.length < maxTokens) {
      const ids = [...prompt, ...answer.ids];
      const { logProbabilities } = await decoder.readPrompt(weights, [], ids, [ids.length - 1]);
      const next = logProbabilities.subarray(0, base.config.vocabSize);
      const id = temperature === 0 ? likeliest(next) : draw(next, random.below(2 ** 31) / 2 ** 31);
      answer.ids.push(id);
      answer.logprobs.push(next[id] as number);
    }
    answers.push(answer);
  }
  await decoder.close();
  return answers;
}

async function weightsAt(base: BaseModel, checkpoint: StoredPart | null) {
  const weights = await base.loadWeights();
  if (checkpoint === null) return weights;
  const { uri, sha256 } = checkpoint;
  const { trained } = await readCheckpoint(fileURLToPath(uri), base.config, { sha256 });
  return trained.kind === 'full' ? trained.weights : mergeAdapter(weights, base.config, trained.adapter);
}

const likeliest = (lp: Float32Array) => lp.indexOf(Math.max(...lp));

function draw(lp: Float32Array, share: number): number {
  let left = share;
  const found = lp.findIndex((value) => (left -= Math.exp(value)) < 0);
  return found < 0 ? likeliest(lp) : found;
}

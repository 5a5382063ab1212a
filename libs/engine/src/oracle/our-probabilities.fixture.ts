import { toDecoderTensors } from '../decode/graph/decoder-tensors.fixture.js';
import { LlamaDecoder } from '../decode/llama-decoder.js';
import type { LlamaConfig } from '../model/index.js';
import type { Weights } from '../tensor.js';
import { trainedLayout, type TrainedPart } from '../train/trained-parameters.js';
import { freshState, Trainer } from '../train/trainer.js';

const OPTIMISER = { beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0, maxGradientNorm: 1 };

/** Per prompt, as the decoder serves it: the probability of each token of the vocabulary to come next. */
export async function decodedProbabilities(
  config: LlamaConfig,
  weights: Weights,
  prompts: readonly (readonly number[])[],
): Promise<number[][]> {
  const decoder = await LlamaDecoder.open(config, config.maxPositions, 1);
  const tensors = toDecoderTensors(config, weights);
  const probabilities: number[][] = [];
  for (const ids of prompts) {
    const { logProbabilities } = await decoder.readPrompt(tensors, [], ids, [ids.length - 1]);
    probabilities.push(Array.from(logProbabilities.subarray(0, config.vocabSize), Math.exp));
  }
  await decoder.close();
  return probabilities;
}

/**
 * The same as the train graph's forward pass has it, for the tokens `next` of each prompt; NaN for all others.
 *
 * @param trained the trained tensors, by the names of their layout
 */
export async function trainedProbabilities(
  config: LlamaConfig,
  weights: Weights,
  part: TrainedPart,
  trained: Weights,
  prompts: readonly (readonly number[])[],
  next: readonly (readonly number[])[],
): Promise<number[][]> {
  const state = freshState(trainedLayout(config, part).flatten(trained));
  const trainer = new Trainer({ config, part, loss: { kind: 'sft' }, optimiser: OPTIMISER }, weights, state, 1);
  const row = prompts.flatMap((ids, prompt) =>
    next[prompt]!.map((id) => ({ ids: [...ids, id], trained: [ids.length], weight: [1] })),
  );
  const scores = await trainer.score(row);
  await trainer.release();
  return next.map((ids) => {
    const probabilities = Array<number>(config.vocabSize).fill(NaN);
    for (const id of ids) probabilities[id] = Math.exp(scores.shift()!.lp[0]!);
    return probabilities;
  });
}

import { fileURLToPath } from 'node:url';

import { PLAIN_ENDING, PLAIN_REQUEST, PLAIN_SAMPLING, type ServingEngine } from '../serve/index.js';
import type { StoredPart } from './training-spec.js';

interface Options {
  readonly maxTokens: number;
  readonly temperature: 0 | 1;
  readonly seed: number;
}

/** Answers of a served model at a checkpoint, all asked for at once; the i-th is drawn with `seed` + i. */
export function sampleAnswers(
  serving: ServingEngine,
  base: string,
  checkpoint: StoredPart | null,
  prompts: readonly (readonly number[])[],
  { maxTokens, temperature, seed }: Options,
): Promise<{ ids: number[]; logprobs: number[] }[]> {
  const pinned = checkpoint && { id: checkpoint.sha256, directory: fileURLToPath(checkpoint.uri) };
  const ask = async (promptIds: readonly number[], index: number) => {
    const answer = { ids: [] as number[], logprobs: [] as number[] };
    const events = serving.generate(
      { base, checkpoint: pinned },
      {
        ...PLAIN_REQUEST,
        promptIds,
        maxTokens,
        sampling: { ...PLAIN_SAMPLING, temperature, seed: BigInt(seed * 1000 + index) },
        ending: { ...PLAIN_ENDING, ignoreEos: true },
        topLogProbabilities: 0,
      },
    );
    for await (const event of events) {
      if (event.kind !== 'text') continue;
      answer.ids.push(...event.ids);
      answer.logprobs.push(...(event.logProbabilities ?? []).map(({ logProbability }) => logProbability));
    }
    return answer;
  };
  return Promise.all(prompts.map(ask));
}

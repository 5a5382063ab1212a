import type { TrainSequence } from '../../train/train-sequence.js';
import type { ChatEncoder } from '../chat-encoder.js';
import { encodeExample } from '../encode-example.js';
import type { Example } from '../example.js';

/** Examples as one row: every token of an answer counts the same, so that long answers are learnt like short ones. */
export function toTrainRow(examples: readonly Example[], encoder: ChatEncoder): TrainSequence[] {
  const encoded = examples.map((example) => {
    const { ids, trained } = encodeExample(example, encoder);
    return { ids, trained: [...ids.keys()].filter((position) => trained[position]) };
  });
  const count = encoded.reduce((total, { trained }) => total + trained.length, 0);
  return encoded.map((sequence) => ({ ...sequence, weight: sequence.trained.map(() => 1 / count) }));
}

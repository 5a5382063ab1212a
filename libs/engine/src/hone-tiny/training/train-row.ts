import type { TrainSequence } from '../../train/train-sequence.js';
import type { ChatEncoder } from '../chat-encoder.js';
import { encodeExample } from '../encode-example.js';
import type { Example } from '../example.js';

/** Examples as one row: the loss is the mean over examples of the mean over an answer's tokens. */
export function toTrainRow(examples: readonly Example[], encoder: ChatEncoder): TrainSequence[] {
  return examples.map((example) => {
    const { ids, trained } = encodeExample(example, encoder);
    const positions = [...ids.keys()].filter((position) => trained[position]);
    return { ids, trained: positions, weight: positions.map(() => 1 / (positions.length * examples.length)) };
  });
}

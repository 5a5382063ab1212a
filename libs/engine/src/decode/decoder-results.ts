import type { InferenceSession } from 'onnxruntime-node';

import type { Predictions } from './model-runner.js';

/** Outputs of a decoder graph: predictions of the wanted tokens, and the keys and values of all that were read. */
export interface DecoderResults extends Predictions {
  readonly newRows: Float32Array;
}

export function decoderResults(outputs: InferenceSession.OnnxValueMapType): DecoderResults {
  const data = (name: string) => outputs[name]?.data as Float32Array;
  return {
    logProbabilities: data('logProbabilities'),
    logPartition: data('logPartition'),
    newRows: data('newRows'),
  };
}

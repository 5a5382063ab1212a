import { InferenceSession } from 'onnxruntime-node';

import './onnxruntime.config.js';

/**
 * Opens a graph on the CPU.
 *
 * @param model an encoded ONNX ModelProto
 * @param threads how many threads one operator may use
 */
export function openSession(model: Uint8Array, threads: number): Promise<InferenceSession> {
  return InferenceSession.create(model, {
    executionProviders: ['cpu'],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    logSeverityLevel: 3,
    // A spinning pool takes the core from whatever else runs: beside a busy process one training step
    // took 252 ms with spinning and 138 ms without.
    extra: { session: { intra_op: { allow_spinning: '0' }, inter_op: { allow_spinning: '0' } } },
  });
}

import { InferenceSession } from 'onnxruntime-node';

import './onnxruntime.config.js';

interface SessionShapes {
  /** Its inputs come in many shapes. Default false. */
  readonly areMany?: boolean;
  /** Whether memory of a run is kept for the next one. Default true. */
  readonly keepsMemory?: boolean;
}

/**
 * Opens a graph on the CPU.
 *
 * @param model an encoded ONNX ModelProto, or the path of one
 * @param threads how many threads one operator may use
 */
export function openSession(
  model: Uint8Array | string,
  threads: number,
  { areMany = false, keepsMemory = true }: SessionShapes = {},
): Promise<InferenceSession> {
  // Its overloads take one kind each.
  return InferenceSession.create(model as string, {
    executionProviders: ['cpu'],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    logSeverityLevel: 3,
    // A memory pattern per shape is up to 3 % faster, but fragments memory: training on texts of many lengths took
    // 1,025 MiB with patterns and 457 without.
    enableMemPattern: !areMany,
    enableCpuMemArena: keepsMemory,
    // A spinning thread pool takes the core from other processes: beside a busy process one training step
    // took 252 ms with spinning and 138 ms without.
    extra: { session: { intra_op: { allow_spinning: '0' }, inter_op: { allow_spinning: '0' } } },
  });
}

import './onnxruntime.config.js';

import type { InferenceSession } from 'onnxruntime-node';

interface SessionOptions {
  /** Whether inputs have many shapes. Default false. */
  readonly areMany?: boolean;
  /** Whether memory of a run is kept for the next one. Default true. */
  readonly keepsMemory?: boolean;
  /** How long a thread without work looks for the next operator before it sleeps, in microseconds. Default 0. */
  readonly spinUs?: number;
}

/**
 * Opens a graph on the CPU.
 *
 * @param model an encoded ONNX ModelProto, or the path of one
 * @param threads how many threads one operator may use
 */
export async function openSession(
  model: Uint8Array | string,
  threads: number,
  { areMany = false, keepsMemory = true, spinUs = 0 }: SessionOptions = {},
): Promise<InferenceSession> {
  // 40 MB of memory, which a process that opens no graph does without.
  const { InferenceSession } = await import('onnxruntime-node');
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
    // A thread pool that spins without end takes the core from other processes: beside a busy process one training step
    // took 252 ms so, and 138 ms without.
    extra: { session: { intra_op: spinning(spinUs), inter_op: spinning(0) } },
  });
}

const spinning = (us: number): Record<string, string> =>
  us === 0 ? { allow_spinning: '0' } : { allow_spinning: '1', spin_duration_us: String(us) };

import { EngineError } from '../errors.js';
import { lowerPriority } from '../runtime/lower-priority.js';
import type { FromChild, ToChild } from './child-messages.js';
import { loadBase, type LoadedBase } from './loaded-base.js';
import { type RunReports, TrainingRun } from './training-run.js';

/** The child process of one training job. It reports to its parent and exits when the parent does. */
function main(): void {
  lowerPriority();
  const drain = new AbortController();
  process.on('disconnect', () => process.exit(1));
  let loading: Loading | null = null;
  process.on('message', (message: ToChild) => {
    if (message.type === 'drain') drain.abort();
    else if (message.type === 'load') loading = beginLoading(message);
    else void carryOut(message, loading, drain.signal).then(sendAndExit);
  });
}

/** A base model that is loaded ahead of its job. */
interface Loading {
  readonly baseDirectory: string;
  /** Null: loading failed. The job reports the reason when it tries again. */
  readonly base: Promise<LoadedBase | null>;
}

const beginLoading = ({ baseDirectory, maxParams, weights }: Extract<ToChild, { type: 'load' }>): Loading => ({
  baseDirectory,
  base: loadBase(baseDirectory, maxParams, weights).catch(() => null),
});

async function carryOut(
  start: Extract<ToChild, { type: 'start' }>,
  loading: Loading | null,
  drain: AbortSignal,
): Promise<FromChild> {
  try {
    const loaded = loading?.baseDirectory === start.baseDirectory ? await loading.base : null;
    const run = await TrainingRun.open(
      start,
      loaded ?? (await loadBase(start.baseDirectory, start.maxParams, start.weights)),
    );
    try {
      return { type: 'ended', result: await run.carryOut(drain, REPORTS) };
    } finally {
      await run.release();
    }
  } catch (error) {
    if (error instanceof EngineError) return { type: 'failed', code: error.code, message: error.message };
    console.error(error);
    return { type: 'failed', code: codeOf(error), message: error instanceof Error ? error.message : String(error) };
  }
}

/** Messages of ONNX Runtime and V8 on a failed allocation. */
function codeOf(error: unknown): string {
  const isMemory = /bad_alloc|Failed to allocate memory|Array buffer allocation failed|Invalid typed array length/i;
  return isMemory.test(String(error)) ? 'engine.out_of_memory' : 'engine.internal';
}

const send = (message: FromChild): void => void process.send?.(message);

/** The child does not wait for the parent to forward a report before it takes the next step. */
const REPORTS: RunReports = {
  step: async (k, metrics) => send({ type: 'step', k, metrics }),
  checkpoint: async (k, part) => send({ type: 'checkpoint', k, part }),
  resumePoint: async (k, part) => send({ type: 'resumePoint', k, part }),
};

function sendAndExit(message: FromChild): void {
  process.send?.(message, () => process.exit(0));
}

main();

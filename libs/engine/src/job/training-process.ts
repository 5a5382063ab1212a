import { type ChildProcess, fork } from 'node:child_process';

import { builtUrl } from '@hone/threads';

import type { StandbyProcess } from '../runtime/standby-process.js';
import type { FromChild, ToChild } from './child-messages.js';
import { TrainingFailedError } from './job.errors.js';
import { ProcessDeath, watchExit } from './process-death.js';
import type { RunResult, RunSignals, TrainingSink } from './training-engine.js';

/**
 * glibc's M_MMAP_THRESHOLD (malloc): larger arrays are mapped one by one, so that the memory of a layer's pass returns
 * to the system after it. With 1 MiB instead of 8, the system had to map and clear every array of a long pass anew, and
 * training a model of 135 million parameters in float32 took half as long again.
 */
const MALLOC_ENVIRONMENT = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: String(8 * 2 ** 20),
  MALLOC_TRIM_THRESHOLD_: String(2 * 2 ** 20),
};

/** A child process that waits for a job. */
export const forkTrainingProcess = (): ChildProcess =>
  fork(builtUrl(import.meta.url, 'training-child'), [], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: MALLOC_ENVIRONMENT,
    execArgv: [],
  });

/**
 * Runs a job in a child process: its memory is freed at exit, and a crash or kill of it affects no other process.
 * Resolves or rejects only after the process is gone.
 */
export async function runTrainingProcess(
  start: Extract<ToChild, { type: 'start' }>,
  signals: RunSignals,
  sink: TrainingSink,
  processes: StandbyProcess,
): Promise<RunResult> {
  signals.cancel.throwIfAborted();
  const death = new ProcessDeath();
  const child = processes.take();
  const { exit, log } = watchExit(child);
  const kill = () => child.kill('SIGKILL');
  const drain = () => child.connected && child.send({ type: 'drain' } satisfies ToChild);
  signals.cancel.addEventListener('abort', kill);
  signals.drain?.addEventListener('abort', drain);
  try {
    child.send(start);
    if (signals.drain?.aborted) drain();
    const last = await relay(child, exit, sink).finally(kill);
    const how = await exit;
    signals.cancel.throwIfAborted();
    if (last === null) throw await death.explain(how, log());
    if (last.type === 'failed') throw new TrainingFailedError(last.code, last.message);
    return last.result;
  } finally {
    if (log() !== '') sink.log(log());
    signals.cancel.removeEventListener('abort', kill);
    signals.drain?.removeEventListener('abort', drain);
  }
}

type Last = Extract<FromChild, { type: 'ended' | 'failed' }>;

/** Hands the process's reports to the sink one after the other; resolves with its last, or null when it died before. */
function relay(child: ChildProcess, exit: Promise<string>, sink: TrainingSink): Promise<Last | null> {
  return new Promise((resolve, reject) => {
    let reports: Promise<unknown> = Promise.resolve();
    child.on('message', (message: FromChild) => {
      reports = reports.then(() => {
        if (message.type === 'step') return sink.step(message.k, message.metrics);
        if (message.type === 'checkpoint') return sink.checkpoint(message.k, message.part);
        if (message.type === 'resumePoint') return sink.resumePoint(message.k, message.part);
        return resolve(message);
      });
      reports.catch(reject);
    });
    // Messages sent before the end arrive before it.
    void exit.then(() => reports.then(() => resolve(null), reject));
  });
}

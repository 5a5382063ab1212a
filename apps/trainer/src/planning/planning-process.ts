import { type ChildProcess, fork } from 'node:child_process';

import { EngineError, type PlanLoc, ProcessDeath, type StandbyProcess, watchExit } from '@hone/engine';
import { builtUrl } from '@hone/threads';

import type { FromPlanning, LastOfPlanning, PlanResult, PlanTask } from './planning-messages.js';

const CHILD = builtUrl(import.meta.url, 'planning-child');

/** Signals between a caller and the planning process that it started. */
export interface PlanningWatch {
  readonly signal: AbortSignal;
  /** Called about once a second while the process reads lines. */
  progressed(): void;
}

/** What the planning process reported as the reason of its failure. */
export class PlanningFailedError extends EngineError {
  constructor(
    code: string,
    message: string,
    readonly hint: string | null,
    readonly locs: readonly PlanLoc[] | null,
  ) {
    super(code, message);
  }
}

/** A process that waits for a task. */
export const forkPlanningProcess = (): ChildProcess =>
  fork(CHILD, [], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], env: {}, execArgv: [] });

/**
 * Carries out a task in a process of its own.
 *
 * @throws PlanningFailedError the input cannot be planned
 * @throws OutOfMemoryError, TrainingProcessDiedError
 * @throws the reason of the watch's signal; the process has been killed then
 */
export async function runPlanningProcess(
  task: PlanTask,
  { signal, progressed }: PlanningWatch,
  processes: StandbyProcess,
): Promise<PlanResult> {
  signal.throwIfAborted();
  const death = new ProcessDeath();
  const child = processes.take();
  const { exit, log } = watchExit(child);
  const kill = () => child.kill('SIGKILL');
  signal.addEventListener('abort', kill);
  let last: LastOfPlanning | undefined;
  child.on('message', (message: FromPlanning) => {
    if (message.type === 'progress') progressed();
    else last = message;
  });
  try {
    child.send(task, () => undefined);
    const how = await exit;
    signal.throwIfAborted();
    if (last?.type === 'planned') return last.result;
    if (last) throw new PlanningFailedError(last.code, last.message, last.hint, last.locs);
    throw await death.explain(how, log());
  } finally {
    signal.removeEventListener('abort', kill);
  }
}

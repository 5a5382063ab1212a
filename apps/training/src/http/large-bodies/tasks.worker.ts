import { parentPort } from 'node:worker_threads';

import type { ThreadTask } from './thread-task.js';

interface TaskOrder {
  /** URL of the module that exports the task. */
  readonly module: string;
  readonly input: unknown;
}

parentPort?.on('message', (order: TaskOrder) => void runTask(order));

/** Posts `{ output }` or `{ failure }`; never rejects. */
async function runTask({ module, input }: TaskOrder): Promise<void> {
  try {
    const { TASK } = (await import(module)) as { TASK: ThreadTask<unknown, unknown> };
    parentPort?.postMessage({ output: TASK.run(input) });
  } catch (error) {
    parentPort?.postMessage({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

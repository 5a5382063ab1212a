import { parentPort } from 'node:worker_threads';

import type { ThreadTask } from './thread-task.js';

/** Runs tasks one after the other; answers each with `{ output }` or `{ failure }`. */
parentPort?.on('message', async ({ module, input }: { module: string; input: unknown }) => {
  try {
    const { TASK } = (await import(module)) as { TASK: ThreadTask<unknown, unknown> };
    parentPort?.postMessage({ output: TASK.run(input) });
  } catch (error) {
    parentPort?.postMessage({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});

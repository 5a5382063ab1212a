import { parentPort } from 'node:worker_threads';

import { collectGarbage } from './collect-garbage.js';
import type { Task } from './task.js';

/** What a thread is to do. */
export interface TaskOrder {
  readonly id: number;
  /** URL of the module that exports the task. */
  readonly module: string;
  /** Name of the export. */
  readonly name: string;
  readonly input: unknown;
}

/** Says that the thread has loaded the module of an order, and begins with the task. */
export interface TaskBegin {
  readonly begun: number;
}

/** The function that piscina calls in a thread. */
export async function runTask({ id, module, name, input }: TaskOrder): Promise<unknown> {
  const { [name]: task } = await load(module);
  parentPort?.postMessage({ begun: id } satisfies TaskBegin);
  return task?.run(input);
}

/** Loads a module of tasks before the first of them comes. */
export async function prepare(module: string): Promise<void> {
  await load(module);
}

const load = (module: string) => import(module) as Promise<Record<string, Task<unknown, unknown>>>;

/** Gives back the memory that tasks have left behind. */
export const releaseMemory = (): void => collectGarbage();

import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { OutOfMemoryError, TrainingProcessDiedError } from './job.errors.js';

/** V8 aborts when its heap is full; the allocator of ONNX Runtime throws. */
const FAILED_ALLOCATION = /heap out of memory|bad_alloc|Failed to allocate memory|allocation failed/i;

/** Finds out what a child process died of. */
export class ProcessDeath {
  private readonly killsBefore: Promise<number | null>;

  /** Call it before the process starts. @param root of `/proc` and `/sys` */
  constructor(private readonly root = '/') {
    this.killsBefore = countOomKills(root);
  }

  /**
   * Why the process ended without a result. SIGKILL by itself is no evidence: operators and supervisors send it too.
   * Out of memory needs a message of the process, or a kernel that has killed for lack of memory in the meantime.
   *
   * @param how signal or exit code
   * @param log the end of the process's output
   */
  async explain(how: string, log: string): Promise<OutOfMemoryError | TrainingProcessDiedError> {
    const isOutOfMemory = FAILED_ALLOCATION.test(log) || (how === 'SIGKILL' && (await this.hasKernelKilled()));
    const error = isOutOfMemory ? new OutOfMemoryError(how) : new TrainingProcessDiedError(how);
    return Object.assign(error, { cause: log });
  }

  private async hasKernelKilled(): Promise<boolean> {
    const [before, after] = [await this.killsBefore, await countOomKills(this.root)];
    return before !== null && after !== null && after > before;
  }
}

/**
 * Processes that the kernel has killed for lack of memory since its start, in this process's cgroup and elsewhere.
 * Null: the kernel does not say. Source: proc_vmstat(5), Linux's admin-guide/cgroup-v2.rst and
 * cgroup-v1/memory.rst.
 */
export async function countOomKills(root = '/'): Promise<number | null> {
  const groups = await textOf(join(root, 'proc/self/cgroup'));
  const [, second] = /^0::\/(.*)$/m.exec(groups) ?? [];
  const [, first] = /^\d+:[^:]*\bmemory\b[^:]*:\/(.*)$/m.exec(groups) ?? [];
  // A container may see its own group as the root of the mount, whatever its path is. Twice the same count does no harm.
  const files = [
    'proc/vmstat',
    ...[second ?? [], ''].flat().map((group) => join('sys/fs/cgroup', group, 'memory.events')),
    ...[first ?? [], ''].flat().map((group) => join('sys/fs/cgroup/memory', group, 'memory.oom_control')),
  ];
  const counts = (await Promise.all(files.map((file) => textOf(join(root, file))))).flatMap(
    (text) => /^oom_kill (\d+)$/m.exec(text)?.[1] ?? [],
  );
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + Number(count), 0);
}

const textOf = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

/** Characters of the end of a process's output that are kept for errors. */
const LOG_TAIL_CHARACTERS = 4_096;

/** Collects how a process ends, as its signal or exit code, and the last of its output. Call it right after the start. */
export function watchExit(child: ChildProcess): { readonly exit: Promise<string>; readonly log: () => string } {
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (text = (text + chunk.toString()).slice(-LOG_TAIL_CHARACTERS)));
  const exit = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  return { exit, log: () => text };
}

import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { join } from 'node:path';

import { ALL_ENDED, endProcesses, findProcesses, killProcesses, type ServerProcess } from './server-processes.js';

/** As it was built: it runs while this process may be gone. */
const WATCHER = join(import.meta.dirname, '../../dist/engines/end-with-parent.js');
const MARK = 'HONE_TEST_SERVER';
const OUTPUT_CHARACTERS = 20_000;

/**
 * The processes of one server under test. They never outlive the process that runs the test, even when that one is
 * killed: a watcher ends them.
 */
export class EngineProcesses {
  private readonly id = randomUUID();
  private readonly signs = { mark: `${MARK}=${this.id}`, groups: new Set<number>() };
  private readonly watcher: ChildProcess;
  private written = '';

  constructor() {
    // A group of its own: Ctrl-C in a terminal must not end it before it has done its work.
    this.watcher = spawn(process.execPath, [WATCHER, this.signs.mark], {
      detached: true,
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    // Neither keeps this process from ending.
    this.watcher.unref();
    (this.watcher.stdin as Socket).unref();
  }

  /** The end of what they have written so far. */
  get output(): string {
    return this.written;
  }

  /** @param variables added to the environment of this process */
  start(program: string, args: readonly string[], variables: NodeJS.ProcessEnv = {}): ChildProcessWithoutNullStreams {
    const child = spawn(program, args, { detached: true, env: { ...process.env, ...variables, [MARK]: this.id } });
    if (child.pid !== undefined) {
      this.signs.groups.add(child.pid);
      this.watcher.stdin?.write(`${child.pid}\n`);
    }
    child.stdin.end();
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => (this.written = (this.written + text.toString()).slice(-OUTPUT_CHARACTERS)));
    return child;
  }

  find(): ServerProcess[] {
    return findProcesses(this.signs);
  }

  /** Kills those whose command line matches. @returns whether there was one */
  kill(pattern: RegExp): boolean {
    return killProcesses(this.signs, pattern);
  }

  /** Kills all. More can be started afterwards. */
  async end(): Promise<void> {
    await endProcesses(this.signs);
    // The system gives their numbers to other processes by and by.
    this.signs.groups.clear();
    this.watcher.stdin?.write(`${ALL_ENDED}\n`);
  }

  /** Kills all, for good. */
  async close(): Promise<void> {
    await this.end();
    this.watcher.stdin?.end();
  }
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { until } from '@hone/testing/until';

const MAIN = join(import.meta.dirname, '../../dist/main.js');
/** Nine processes start slowly on a busy machine. */
const SAYS_LIMIT_MS = 300_000;

/** The built launcher as a process of its own, as `npm start` runs it. */
export class RunningLauncher {
  output = '';
  readonly exited: Promise<number | null>;
  private readonly child: ChildProcess;

  constructor(variables: Record<string, string>) {
    const inherited = Object.entries(process.env).filter(([name]) => !/^(HONE_|npm_|DATABASE_URL)/.test(name));
    this.child = spawn(process.execPath, [MAIN], {
      env: { ...Object.fromEntries(inherited), ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    this.exited = once(this.child, 'close').then(([code]) => code as number | null);
  }

  get pid(): number {
    return this.child.pid as number;
  }

  /** Waits for a text in the output, beyond what was there at `from`. */
  async says(text: string, from = 0): Promise<void> {
    await until(() => this.output.includes(text, from), text, SAYS_LIMIT_MS).catch(({ message }: Error) => {
      throw new Error(`${message} The launcher said:\n${this.output}`);
    });
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Child processes whose command line contains `part`. */
  children(part: string): number[] {
    return processes()
      .filter(({ ppid, command }) => ppid === this.pid && command.includes(part))
      .map(({ pid }) => pid);
  }
}

export const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`) && !readStat(pid).startsWith('Z');

function processes(): { pid: number; ppid: number; command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({
      pid: Number(name),
      ppid: Number(readStat(Number(name)).split(' ')[1]),
      command: read(`/proc/${name}/cmdline`).replaceAll('\0', ' '),
    }));
}

/** `<state> <ppid> ...` */
const readStat = (pid: number): string => read(`/proc/${pid}/stat`).replace(/^.*\) /s, '');

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

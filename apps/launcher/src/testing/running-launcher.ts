import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const MAIN = join(import.meta.dirname, '../../dist/main.js');
const POLL_MS = 25;
const SAYS_TIMEOUT_MS = 90_000;

/** Waits until `probe` gives something other than undefined; throws after `timeoutMs`. */
export async function until<T>(
  what: string,
  probe: () => Promise<T | undefined> | T | undefined,
  timeoutMs = 15_000,
): Promise<T> {
  for (const deadline = Date.now() + timeoutMs; ; await sleep(POLL_MS)) {
    const found = await probe();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`Not within ${timeoutMs} ms: ${what}`);
  }
}

/** The built launcher as a process of its own, as `npm start` runs it. */
export class RunningLauncher {
  output = '';
  readonly exited: Promise<number | null>;
  readonly #child: ChildProcess;

  constructor(variables: Record<string, string>) {
    const inherited = Object.entries(process.env).filter(([name]) => !/^(HONE_|npm_|DATABASE_URL)/.test(name));
    this.#child = spawn(process.execPath, [MAIN], {
      env: { ...Object.fromEntries(inherited), ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    this.exited = once(this.#child, 'close').then(([code]) => code as number | null);
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  /** Waits for a text in the output, beyond what was there at `from`. */
  async says(text: string, from = 0): Promise<void> {
    const found = () => (this.output.includes(text, from) ? true : undefined);
    await until('', found, SAYS_TIMEOUT_MS).catch(() => {
      throw new Error(`The launcher did not say '${text}' within ${SAYS_TIMEOUT_MS} ms, but:\n${this.output}`);
    });
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
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

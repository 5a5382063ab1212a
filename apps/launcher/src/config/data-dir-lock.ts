import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { LaunchError } from './launch.error.js';

/** Keeps a second launcher off a data folder. What a killed launcher left behind does not count. */
export class DataDirLock {
  private constructor(private readonly path: string) {}

  /** @throws LaunchError another launcher uses the folder */
  static take(dataDir: string): DataDirLock {
    const path = join(dataDir, 'launcher.lock');
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, `${process.pid} ${startOf(process.pid)}\n`);
    try {
      for (;;) {
        if (tryLink(draft, path)) return new DataDirLock(path);
        const holder = read(path);
        const pid = Number(holder.split(' ')[0]);
        if (pid && startOf(pid) === holder.trim().slice(`${pid} `.length)) {
          throw new LaunchError(
            `Another Hone (process ${pid}) runs on ${dataDir}: stop it, or set HONE_DATA_DIR to another folder.`,
          );
        }
        // Left behind. Nobody may have taken the lock since we read it.
        if (read(path) === holder) rmSync(path, { force: true });
      }
    } finally {
      rmSync(draft, { force: true });
    }
  }

  release(): void {
    rmSync(this.path, { force: true });
  }
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** When a process started, in the system's own count: a number used again does not pass for the old process. */
function startOf(pid: number): string {
  try {
    if (process.platform !== 'linux') return process.kill(pid, 0) ? 'running' : '';
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in brackets, may contain blanks; the start time is the 20th field after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return 'gone';
  }
}

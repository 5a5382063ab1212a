import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { processStart } from '@hone/platform/process-start';

import { LaunchError } from './launch.error.js';

/** Keeps a second launcher off a data folder. What a killed launcher left behind does not count. */
export class DataDirLock {
  private constructor(private readonly path: string) {}

  /** @throws LaunchError another launcher uses the folder */
  static take(dataDir: string): DataDirLock {
    const path = join(dataDir, 'launcher.lock');
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, `${process.pid} ${processStart(process.pid)}\n`);
    try {
      for (;;) {
        if (tryLink(draft, path)) return new DataDirLock(path);
        const holder = read(path);
        const pid = Number(holder.split(' ')[0]);
        if (pid && processStart(pid) === holder.trim().slice(`${pid} `.length)) {
          throw new LaunchError(
            `Another Hone (process ${pid}) runs on ${dataDir}: stop it, or set HONE_DATA_DIR to another folder.`,
          );
        }
        // A stale lock. No other process may have taken it since it was read.
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

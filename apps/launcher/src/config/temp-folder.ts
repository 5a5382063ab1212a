import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const PREFIX = 'hone-';

/**
 * The folder that the services use as `TMPDIR`. They keep sockets there, which a killed service cannot remove, and a
 * data folder's path may be too long for one: so it lies in the system's folder and goes with the launcher. What a
 * killed launcher left is removed by the next one on the same data folder, which knows its path from a note there.
 */
export class TempFolder {
  private constructor(
    readonly path: string,
    private readonly note: string,
  ) {}

  /** The caller holds the data folder's lock. */
  static make(dataDir: string): TempFolder {
    const note = join(dataDir, 'launcher.tmpdir');
    const old = read(note);
    if (basename(old).startsWith(PREFIX)) rmSync(old, { recursive: true, force: true });
    const path = mkdtempSync(join(tmpdir(), PREFIX)); // only its owner may enter it
    writeFileSync(note, path);
    return new TempFolder(path, note);
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
    rmSync(this.note, { force: true });
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

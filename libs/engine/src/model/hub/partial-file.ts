import { createHash, type Hash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** A part of another machine's process counts as abandoned when it was not written to for this long. */
const QUIET_MS = 10 * 60_000;
const HOST = hostname().replace(/[^\w-]/g, '_');
const NAME = /^\.(.+)\.([0-9a-f]{64})\.([\w-]+?)-(\d+)-[0-9a-f]{8}\.part$/;
/** Parts that this process is writing. */
const inUse = new Set<string>();

/**
 * The received part of a file whose SHA-256 is known. It survives a failure of the download and of its process: the
 * next download of the file resumes it. Only one process writes it at a time.
 */
export class PartialFile {
  private constructor(
    readonly path: string,
    /** Of the whole file, hex. */
    readonly sha256: string,
    readonly bytes: number,
  ) {}

  /** Takes over the part that an earlier download of the file received; null: there is none. */
  static async takeOver(target: string): Promise<PartialFile | null> {
    const folder = dirname(target);
    for (const name of await readdir(folder).catch(() => [])) {
      const [, file, sha256, host, pid] = NAME.exec(name) ?? [];
      if (file !== basename(target) || sha256 === undefined) continue;
      if (!(await isLeft(join(folder, name), host === HOST ? Number(pid) : null))) continue;
      const path = pathOf(target, sha256);
      try {
        // Renaming is atomic: only one of several processes that see the part takes it over.
        await rename(join(folder, name), path);
        inUse.add(path);
        return new PartialFile(path, sha256, (await stat(path)).size);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
    return null;
  }

  static fresh(target: string, sha256: string): PartialFile {
    const path = pathOf(target, sha256);
    inUse.add(path);
    return new PartialFile(path, sha256, 0);
  }

  /** Opens it behind what is there. @returns also the hash of that */
  async open(): Promise<{ handle: FileHandle; hash: Hash }> {
    const hash = createHash('sha256');
    if (this.bytes > 0) for await (const chunk of createReadStream(this.path)) hash.update(chunk as Buffer);
    return { handle: await open(this.path, 'a'), hash };
  }

  /** It is whole, and gets the name of the file. */
  finish(target: string): Promise<void> {
    return rename(this.path, target);
  }

  /** This download is over: if the file is still there, the next one may go on with it. */
  leave(): void {
    inUse.delete(this.path);
  }

  remove(): Promise<void> {
    return rm(this.path, { force: true });
  }
}

const pathOf = (target: string, sha256: string) =>
  join(dirname(target), `.${basename(target)}.${sha256}.${HOST}-${process.pid}-${randomUUID().slice(0, 8)}.part`);

/** Whether nobody writes it. @param pid who did; null: a process of another machine */
async function isLeft(path: string, pid: number | null): Promise<boolean> {
  if (pid === process.pid) return !inUse.has(path);
  if (pid !== null && !isAlive(pid)) return true;
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
  return Date.now() - mtimeMs > QUIET_MS;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

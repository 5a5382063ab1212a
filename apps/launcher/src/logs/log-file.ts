import { closeSync, openSync, renameSync, statSync, writeSync } from 'node:fs';

const MAX_BYTES = 33_554_432;

/**
 * The log of one process: `<path>`, and `<path>.1` with what came before. A new file is begun at every start and when
 * the file is full. Losing log lines (disk full) stops nothing.
 */
export class LogFile {
  private file: number | undefined;
  private bytes = 0;

  constructor(
    readonly path: string,
    private readonly maxBytes = MAX_BYTES,
  ) {
    this.begin();
  }

  write(chunk: Buffer | string): void {
    try {
      if (this.bytes >= this.maxBytes) this.begin();
      if (this.file !== undefined) this.bytes += writeSync(this.file, chunk as string);
    } catch {
      // See above.
    }
  }

  private begin(): void {
    try {
      if (this.file !== undefined) closeSync(this.file);
      this.file = undefined;
      if (statSync(this.path, { throwIfNoEntry: false })?.size) renameSync(this.path, `${this.path}.1`);
      this.file = openSync(this.path, 'a', 0o600);
    } catch {
      // See above.
    }
    this.bytes = 0;
  }
}

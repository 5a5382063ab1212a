import { Injectable } from '@nestjs/common';

/** A full disk is reported for so long after the last write that met it: only writes find out that it has space again. */
const REPORTED_MS = 30_000;

/** Whether writes, to the database or to files, meet a full disk. */
@Injectable()
export class DiskState {
  private fullUntil = 0;

  noteFull(): void {
    this.fullUntil = performance.now() + REPORTED_MS;
  }

  get isFull(): boolean {
    return performance.now() < this.fullUntil;
  }
}

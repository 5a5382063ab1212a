const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
/** A process that lived this long has recovered: the count begins anew. */
const RECOVERED_MS = 60_000;

/** How long to wait before a process that died is started again: at once the first time, then longer and longer. */
export class Backoff {
  private failures = 0;

  /** @param livedMs how long the process was up */
  nextDelayMs(livedMs: number): number {
    if (livedMs >= RECOVERED_MS) this.failures = 0;
    const failures = this.failures++;
    return failures === 0 ? 0 : Math.min(FIRST_DELAY_MS * 2 ** (failures - 1), MAX_DELAY_MS);
  }
}

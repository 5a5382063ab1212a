import { setImmediate } from 'node:timers/promises';

/** Some 10 ms of work at most: so long other requests may wait. */
const TURN_BYTES = 262_144;

/** Counts work on the main thread, so that long work can be spread over turns of the event loop. */
export class WorkInTurns {
  private bytes = 0;

  /** @returns the work of this turn is done: await {@link nextTurn}. It costs a microsecond, so not each time */
  add(bytes: number): boolean {
    this.bytes += bytes;
    return this.bytes >= TURN_BYTES;
  }

  async nextTurn(): Promise<void> {
    this.bytes = 0;
    await setImmediate();
  }
}

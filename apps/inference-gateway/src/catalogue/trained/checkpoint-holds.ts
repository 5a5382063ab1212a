import type { Clock, Timer } from '../../shared/time/clock.js';
import type { CheckpointPinsRepository } from './checkpoint-pins.repository.js';

interface Hold {
  /** Null: not pinned, because the database did not answer. */
  pinning: Promise<void> | null;
  /** Attempts under way. */
  running: number;
  usedMs: number;
  isDeleted: boolean;
}

/** A pin expires after this long without renewal. */
const PIN_SECONDS = 600;
const TICK_MS = 60_000;
/** A request has moments between its attempts: only after this long without one is its checkpoint idle. */
const IDLE_MS = 60_000;
/** As many as the engine keeps in memory. */
const KEPT = 8;

/** `deleted`: kept for the requests that began before; `unpinned`: the database did not answer. */
export type HoldState = 'in_use' | 'idle' | 'deleted' | 'unpinned';

export interface HoldsOptions {
  /** `gateway:<process>`. */
  readonly holder: string;
  readonly clock: Clock;
  readonly onFailure: (error: unknown) => void;
}

/**
 * The checkpoints that this process has loaded. Each is pinned in the database before it is loaded, so that a deletion
 * leaves its bytes to the requests that began before. A pin ends when its checkpoint is idle and not among the
 * {@link KEPT} used last.
 */
export class CheckpointHolds {
  /** The least recently used first. */
  private readonly holds = new Map<string, Hold>();
  private timer: Timer | null = null;
  /** The last unpinning: a pin that is requested meanwhile must come after it. */
  private releasing: Promise<void> = Promise.resolve();

  constructor(
    private readonly pins: Pick<CheckpointPinsRepository, 'pin' | 'unpin' | 'unpinAll'>,
    private readonly options: HoldsOptions,
  ) {}

  start(): void {
    this.timer = this.options.clock.after(TICK_MS, () => void this.tick().finally(() => this.timer && this.start()));
  }

  async stop(): Promise<void> {
    this.timer?.cancel();
    this.timer = null;
    await this.pins.unpinAll(this.options.holder).catch(this.options.onFailure);
  }

  /** Resolves when the checkpoint is pinned; also when the database is unavailable, for then nothing is collected. */
  async hold(checkpointId: string): Promise<void> {
    const hold = this.holdOf(checkpointId);
    hold.pinning ??= this.pin(checkpointId, hold);
    await hold.pinning;
  }

  /** An attempt begins. @returns to be called once, at its end */
  enter(checkpointId: string): () => void {
    const hold = this.holdOf(checkpointId);
    hold.running++;
    return () => {
      hold.running--;
      hold.usedMs = this.options.clock.now();
    };
  }

  /** How many checkpoints are held, by state. */
  counts(): Record<HoldState, number> {
    const counts = { in_use: 0, idle: 0, deleted: 0, unpinned: 0 };
    for (const [, hold] of this.holds) counts[stateOf(hold)]++;
    return counts;
  }

  /** Renews the pins that are needed, and ends the others. */
  async tick(): Promise<void> {
    const all = [...this.holds];
    const [released, kept] = [[] as string[], [] as string[]];
    for (const [index, [id, hold]] of all.entries()) {
      const isIdle = hold.running === 0 && this.options.clock.now() - hold.usedMs >= IDLE_MS;
      const isRecent = all.length - index <= KEPT;
      (isIdle && (hold.isDeleted || !isRecent) ? released : kept).push(id);
    }
    for (const id of released) this.holds.delete(id);
    const { holder, onFailure } = this.options;
    if (released.length > 0) this.releasing = this.pins.unpin(holder, released).catch(onFailure);
    await this.releasing;
    if (kept.length > 0) await this.renew(kept).catch(onFailure);
  }

  private async renew(ids: readonly string[]): Promise<void> {
    const pinned = await this.pins.pin(this.options.holder, ids, PIN_SECONDS);
    const deleted = new Set(pinned.filter(({ isDeleted }) => isDeleted).map(({ id }) => id));
    for (const [id, hold] of this.holds) hold.isDeleted ||= deleted.has(id);
  }

  private holdOf(id: string): Hold {
    const hold = this.holds.get(id) ?? { pinning: null, running: 0, usedMs: 0, isDeleted: false };
    hold.usedMs = this.options.clock.now();
    this.holds.delete(id);
    this.holds.set(id, hold);
    return hold;
  }

  private async pin(id: string, hold: Hold): Promise<void> {
    try {
      await this.releasing;
      await this.pins.pin(this.options.holder, [id], PIN_SECONDS);
    } catch (error) {
      hold.pinning = null;
      this.options.onFailure(error);
    }
  }
}

function stateOf({ isDeleted, pinning, running }: Hold): HoldState {
  if (isDeleted) return 'deleted';
  if (pinning === null) return 'unpinned';
  return running > 0 ? 'in_use' : 'idle';
}

import { FakeClock } from '../../shared/time/fake-clock.fixture.js';
import { CheckpointHolds } from './checkpoint-holds.js';
import type { PinnedCheckpoint } from './checkpoint-pins.repository.js';

const HOLDER = 'gateway:1';
const MINUTE = 60_000;

class MemoryPins {
  readonly pinned = new Set<string>();
  readonly deleted = new Set<string>();
  writes = 0;
  isAway = false;

  async pin(_holder: string, ids: readonly string[]): Promise<PinnedCheckpoint[]> {
    if (this.isAway) throw new Error('away');
    this.writes++;
    for (const id of ids) this.pinned.add(id);
    return ids.map((id) => ({ id, isDeleted: this.deleted.has(id) }));
  }

  async unpin(_holder: string, ids: readonly string[]): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    for (const id of ids) this.pinned.delete(id);
  }

  async unpinAll(): Promise<void> {
    this.pinned.clear();
  }
}

describe('CheckpointHolds', () => {
  let clock: FakeClock;
  let pins: MemoryPins;
  let holds: CheckpointHolds;
  let failures: number;
  beforeEach(() => {
    clock = new FakeClock();
    pins = new MemoryPins();
    failures = 0;
    holds = new CheckpointHolds(pins, { holder: HOLDER, clock, onFailure: () => failures++ });
    holds.start();
  });
  afterEach(() => holds.stop());

  const holdAll = (ids: readonly string[]) => Promise.all(ids.map((id) => holds.hold(id)));
  const ids = (count: number) => Array.from({ length: count }, (_, index) => `c${index}`);

  it('pins a checkpoint once, and renews it every minute', async () => {
    await holdAll(['a', 'a', 'a']);
    expect([[...pins.pinned], pins.writes]).toEqual([['a'], 1]);
    await clock.advance(3 * MINUTE);
    expect(pins.writes).toBe(4);
  });

  it('counts what is held, by what is known of it', async () => {
    await holdAll(['idle', 'running', 'deleted']);
    holds.enter('running');
    pins.deleted.add('deleted');
    await holds.tick();
    pins.isAway = true;
    await holds.hold('unpinned');
    expect(holds.counts()).toEqual({ in_use: 1, idle: 1, deleted: 1, unpinned: 1 });
  });

  it('lets go of all but the eight that were used last, once they are idle', async () => {
    await holdAll(ids(10));
    await clock.advance(MINUTE / 2);
    expect(pins.pinned.size).toBe(10);
    await clock.advance(MINUTE);
    expect([...pins.pinned]).toEqual(ids(10).slice(2));
  });

  it('keeps what a request runs on, however long, and a little longer', async () => {
    await holds.hold('running');
    const leave = holds.enter('running');
    await holdAll(ids(9));
    await clock.advance(30 * MINUTE);
    expect(pins.pinned).toContain('running');
    leave();
    // As the last one used it is among the eight; others push it out.
    await holdAll(ids(9));
    await clock.advance(2 * MINUTE);
    expect(pins.pinned).not.toContain('running');
  });

  it('lets go of a deleted checkpoint when its last request has ended', async () => {
    await holds.hold('gone');
    const leave = holds.enter('gone');
    pins.deleted.add('gone');
    await clock.advance(5 * MINUTE);
    expect(pins.pinned).toContain('gone');
    leave();
    await clock.advance(3 * MINUTE);
    expect(pins.pinned).not.toContain('gone');
  });

  it('does not take away a pin that is asked for while it lets go', async () => {
    const own = new CheckpointHolds(pins, { holder: HOLDER, clock, onFailure: () => failures++ });
    for (const id of ids(10)) await own.hold(id);
    await clock.advance(MINUTE);
    await Promise.all([own.tick(), own.hold('c0')]);
    expect([...pins.pinned].sort()).toEqual(ids(10).filter((id) => id !== 'c1'));
  });

  it('goes on without the database, and pins when it is back', async () => {
    pins.isAway = true;
    await holds.hold('a');
    expect([pins.pinned.size, failures]).toEqual([0, 1]);
    pins.isAway = false;
    await clock.advance(MINUTE);
    expect(pins.pinned).toContain('a');
  });

  it('leaves no pin behind at its end, and sets no timer any more', async () => {
    await holds.hold('a');
    await holds.stop();
    expect(pins.pinned.size).toBe(0);
    const { writes } = pins;
    await clock.advance(10 * MINUTE);
    expect(pins.writes).toBe(writes);
  });
});

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { FakeClock } from '../../upstreams/fake-clock.fixture.js';
import { Journal } from '../journal/journal.js';
import { UsageRecordsRejectedError } from './usage-records.errors.js';
import { UsageWriter } from './usage-writer.js';

describe('UsageWriter', () => {
  let folder: string;
  let journal: Journal;
  let clock: FakeClock;
  let batches: number[][];
  let fault: ((record: number) => Error | undefined) | undefined;
  let events: unknown[];
  let slowStore: Promise<void>;
  let writer: UsageWriter;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'usage-writer-'));
    journal = await Journal.open({ folder, sync: 'write' });
    clock = new FakeClock();
    batches = [];
    events = [];
    fault = undefined;
    slowStore = Promise.resolve();
    writer = new UsageWriter(
      journal,
      { insertAll: store },
      {
        clock,
        onFailure: (error) => events.push((error as Error).message),
        onRejected: () => events.push('rejected'),
        onCaughtUp: (sinceMs) => events.push(sinceMs),
      },
    );
    writer.start();
    await advance(1_000);
    events.length = 0;
  });
  afterEach(async () => {
    await writer.stop();
    await journal.close();
    await rm(folder, { recursive: true });
  });

  async function store(records: readonly string[]): Promise<void> {
    const numbers = records.map((record) => JSON.parse(record).n as number);
    for (const number of numbers) {
      const error = fault?.(number);
      if (error) throw error;
    }
    await slowStore;
    batches.push(numbers);
  }

  const append = (count: number) => Promise.all(Array.from({ length: count }, (_, n) => journal.append({ n })));
  /** File operations take real time, of which the clock knows nothing. */
  async function advance(ms: number): Promise<void> {
    await clock.advance(ms);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }

  it('collects records for a quarter of a second', async () => {
    await append(3);
    await advance(100);
    await append(2);
    await advance(149);
    expect(batches).toEqual([]);
    await advance(1);
    expect(batches).toEqual([[0, 1, 2, 0, 1]]);
    expect(journal.lagBytes).toBe(0);
  });

  it('writes a thousand at once, and at most so many together', async () => {
    await append(2_300);
    await advance(0);
    expect(batches.map(({ length }) => length)).toEqual([1_000, 1_000, 300]);
  });

  it('tries again, ever later, while the database is away, and tells how late it is', async () => {
    fault = () => new Error('away');
    await append(2);
    for (const ms of [250, 500, 1_000]) await advance(ms);
    expect(events).toEqual(['away', 'away', 'away']);
    expect(writer.lagMs).toBe(1_750);
    fault = undefined;
    await advance(2_000);
    expect(batches).toEqual([[0, 1]]);
    expect(writer.lagMs).toBe(0);
  });

  it('does not hurry for new records while the database is away', async () => {
    fault = () => new Error('away');
    await append(1);
    await advance(250);
    await append(1_500);
    await advance(499);
    expect(events).toEqual(['away']);
  });

  it('sets the one bad record aside and stores the rest', async () => {
    fault = (n) => (n === 5 ? new UsageRecordsRejectedError('bad') : undefined);
    await append(8);
    await advance(250);
    expect(batches.flat()).toEqual([0, 1, 2, 3, 4, 6, 7]);
    expect(events).toEqual(['rejected', 1_250]);
    expect(await readFile(join(folder, 'rejected.jsonl'), 'utf8')).toBe('{"n":5}\n');
    expect(journal.lagBytes).toBe(0);
  });

  it('writes what a former process left', async () => {
    await writer.stop();
    await append(4);
    await journal.close();
    journal = await Journal.open({ folder, sync: 'write' });
    writer = new UsageWriter(journal, { insertAll: store }, { clock });
    writer.start();
    await advance(250);
    expect(batches).toEqual([[0, 1, 2, 3]]);
  });

  it('reads no record twice and none never, though a flush and its own timer meet', async () => {
    let release = () => undefined as void;
    slowStore = new Promise((resolve) => (release = resolve));
    await append(2);
    const flushing = writer.flush();
    await append(3);
    await advance(250);
    release();
    await flushing;
    await writer.flush();
    expect(batches).toEqual([
      [0, 1],
      [0, 1, 2],
    ]);
  });

  it('flushes at once', async () => {
    await append(2);
    await writer.flush();
    expect(batches).toEqual([[0, 1]]);
  });
});

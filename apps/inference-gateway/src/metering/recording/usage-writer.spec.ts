import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { until } from '@hone/testing/until';

import { FakeClock } from '../../shared/time/fake-clock.fixture.js';
import { Journal } from '../journal/journal.js';
import type { RecordList } from '../journal/record-list.js';
import { UsageRecordsRejectedError } from './metering.errors.js';
import { UsageWriter } from './usage-writer.js';

describe('UsageWriter', () => {
  let folder: string;
  let journal: Journal;
  let clock: FakeClock;
  let batches: number[][];
  let fault: ((record: number) => Error | undefined) | undefined;
  let events: unknown[];
  /** When the clock said so, {@link UsageStore.insertAll} was called. */
  let askedAtMs: number[];
  let slowStore: Promise<void>;
  let writer: UsageWriter;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'usage-writer-'));
    journal = await Journal.open({ folder, sync: 'write' });
    clock = new FakeClock();
    batches = [];
    events = [];
    askedAtMs = [];
    fault = undefined;
    slowStore = Promise.resolve();
    writer = new UsageWriter(
      journal,
      { insertAll: store },
      {
        clock,
        onFailure: (error) => events.push((error as Error).message),
        onRejected: (_, record) => events.push(`rejected ${record}`),
        onCaughtUp: (sinceMs) => events.push(sinceMs),
      },
    );
    writer.start();
    await clock.advance(1_000);
    await untilEvents(1);
    events.length = 0;
  });
  afterEach(async () => {
    await writer.stop();
    await journal.close();
    await rm(folder, { recursive: true });
  });

  async function store(records: RecordList): Promise<void> {
    askedAtMs.push(clock.now());
    const numbers = records.texts().map((record) => JSON.parse(record).n as number);
    for (const number of numbers) {
      const error = fault?.(number);
      if (error) throw error;
    }
    await slowStore;
    batches.push(numbers);
  }

  const append = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, n) => journal.append(JSON.stringify({ n }))));
  // File operations take real time, of which the clock knows nothing.
  const untilEvents = (count: number) => until(() => events.length >= count, `event ${count} of the writer`);
  const untilStored = (count: number) =>
    until(() => batches.flat().length >= count && journal.lagBytes === 0, `${count} stored records`);

  it('collects records for a quarter of a second', async () => {
    await append(3);
    await clock.advance(100);
    await append(2);
    await clock.advance(150);
    await untilStored(5);
    expect(batches).toEqual([[0, 1, 2, 0, 1]]);
    expect(askedAtMs).toEqual([1_250]);
  });

  it('writes a thousand records at once, and at most a thousand per batch', async () => {
    await append(2_300);
    await untilStored(2_300);
    expect(batches.map(({ length }) => length)).toEqual([1_000, 1_000, 300]);
  });

  it('retries with backoff while the database is unavailable, and reports the lag', async () => {
    fault = () => new Error('away');
    await append(2);
    for (const [failures, ms] of [250, 500, 1_000].entries()) {
      await clock.advance(ms);
      await untilEvents(failures + 1);
    }
    expect(events).toEqual(['away', 'away', 'away']);
    expect(writer.lagMs).toBe(1_750);
    fault = undefined;
    await clock.advance(2_000);
    await untilEvents(4);
    expect(batches).toEqual([[0, 1]]);
    expect(askedAtMs).toEqual([1_250, 1_750, 2_750, 4_750]);
    expect(writer.lagMs).toBe(0);
  });

  it('keeps the backoff for new records while the database is unavailable', async () => {
    fault = () => new Error('away');
    await append(1);
    await clock.advance(250);
    await untilEvents(1);
    await append(1_500);
    await clock.advance(500);
    await untilEvents(2);
    expect(askedAtMs).toEqual([1_250, 1_750]);
  });

  it('sets the one rejected record aside and stores the rest', async () => {
    fault = (n) => (n === 5 ? new UsageRecordsRejectedError('22P02', 'bad') : undefined);
    await append(8);
    await clock.advance(250);
    await untilEvents(2);
    expect(batches.flat()).toEqual([0, 1, 2, 3, 4, 6, 7]);
    expect(events).toEqual(['rejected {"n":5}', 1_250]);
    expect(await readFile(join(folder, 'rejected.jsonl'), 'utf8')).toBe('{"n":5}\n');
    expect(journal.lagBytes).toBe(0);
  });

  it('writes the records of a former process', async () => {
    await writer.stop();
    await append(4);
    await journal.close();
    journal = await Journal.open({ folder, sync: 'write' });
    writer = new UsageWriter(journal, { insertAll: store }, { clock });
    writer.start();
    await clock.advance(250);
    await untilStored(4);
    expect(batches).toEqual([[0, 1, 2, 3]]);
  });

  it('reads each record once, although a flush and its timer coincide', async () => {
    let release = () => undefined as void;
    slowStore = new Promise((resolve) => (release = resolve));
    await append(2);
    const flushing = writer.flush();
    await until(() => askedAtMs.length === 1, 'the first batch');
    await append(3);
    await clock.advance(250);
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

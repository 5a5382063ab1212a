import { mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { JournalUnwritableError } from './journal.errors.js';
import { Journal, type JournalOptions } from './journal.js';

/** Names no process. */
const DEAD = 'dead';

describe('Journal', () => {
  let folder: string;
  const open = (options: Partial<JournalOptions> = {}) => Journal.open({ folder, sync: 'write', ...options });
  const segments = async () =>
    (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.journal')).sort();

  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'journal-')), 'journal');
  });
  afterEach(() => rm(dirname(folder), { recursive: true }));

  /** Reads and commits everything. */
  async function drain(journal: Journal): Promise<number[]> {
    const numbers: number[] = [];
    for (let batch; (batch = await journal.read(100));) {
      numbers.push(...batch.records.texts().map((payload) => JSON.parse(payload).n as number));
      await journal.commit(batch);
    }
    return numbers;
  }

  /** What a killed process leaves: its folder, under the name of a process that cannot be. */
  async function orphan(count: number, name = DEAD): Promise<string> {
    const journal = await open();
    await append(journal, count);
    const [segment = ''] = await segments();
    await rename(join(folder, dirname(segment)), join(folder, name));
    return join(folder, name, segment.slice(segment.indexOf('/') + 1));
  }

  const append = (journal: Journal, count: number, from = 1) =>
    Promise.all(Array.from({ length: count }, (_, index) => journal.append(JSON.stringify({ n: from + index }))));
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

  it.each(['write', 'fsync'] as const)('delivers records in order, with sync %s', async (sync) => {
    const journal = await open({ sync });
    await append(journal, 250);
    await append(journal, 50, 251);
    expect(await drain(journal)).toEqual(upTo(300));
    expect(journal.lagBytes).toBe(0);
    await journal.close();
  });

  it('leaves no folder when a heartbeat crosses its end, or comes after it', async () => {
    const journal = await open();
    const beat = () => journal.maintain(Date.now() + 6_000);
    await Promise.all([beat(), journal.close()]);
    await beat();
    expect(await readdir(folder)).toEqual([]);
  });

  it('delivers a batch again until it is committed', async () => {
    const journal = await open();
    await append(journal, 2);
    await journal.read(100);
    expect(await drain(journal)).toEqual([1, 2]);
    expect(await journal.read(100)).toBeNull();
    await journal.close();
  });

  it('writes the records of one turn together (group commit)', async () => {
    const journal = await open();
    const writes: number[] = [];
    journal.onRecords = (count) => writes.push(count);
    await append(journal, 40);
    expect(writes).toEqual([40]);
    await journal.close();
  });

  it('continues in a new segment, and removes committed ones', async () => {
    const journal = await open({ maxSegmentBytes: 1_000 });
    for (let n = 1; n <= 300; n++) await journal.append(JSON.stringify({ n }));
    expect((await segments()).length).toBeGreaterThan(4);
    expect(await drain(journal)).toEqual(upTo(300));
    expect(await segments()).toHaveLength(1);
    await journal.close();
    expect(await readdir(folder)).toEqual([]);
  });

  it('keeps uncommitted records for the next start', async () => {
    const first = await open();
    await append(first, 3);
    await first.close();
    const second = await open();
    expect(await drain(second)).toEqual([1, 2, 3]);
    await second.close();
    expect(await readdir(folder)).toEqual([]);
  });

  it('adopts the segments of a dead process, up to a torn tail', async () => {
    const path = await orphan(3);
    await truncate(path, (await readFile(path)).length - 1);
    const journal = await open();
    expect(await drain(journal)).toEqual([1, 2]);
    expect(journal.skippedBytes).toBe(14);
    expect(await segments()).toEqual([]);
    await journal.close();
  });

  it('adopts what a dead process had adopted', async () => {
    const path = await orphan(2);
    await rename(dirname(path), `${folder}-inner`);
    await orphan(1, `${DEAD}x`);
    await rename(`${folder}-inner`, join(folder, `${DEAD}x`, DEAD));
    const journal = await open();
    expect((await drain(journal)).sort()).toEqual([1, 1, 2]);
    await journal.close();
  });

  it('does not adopt the segments of a live process', async () => {
    const first = await open();
    await append(first, 2);
    const second = await open();
    expect(await second.read(100)).toBeNull();
    expect(await drain(first)).toEqual([1, 2]);
    await Promise.all([first.close(), second.close()]);
  });

  it('lets one of two processes adopt an orphan', async () => {
    await orphan(5);
    const both = await Promise.all([open(), open()]);
    const read = (await Promise.all(both.map(drain))).flat();
    expect(read).toEqual([1, 2, 3, 4, 5]);
    await Promise.all(both.map((journal) => journal.close()));
  });

  it('reads more than one read buffer', async () => {
    const journal = await open();
    const text = 'x'.repeat(100_000);
    await Promise.all(upTo(40).map((n) => journal.append(JSON.stringify({ n, text }))));
    expect(await drain(journal)).toEqual(upTo(40));
    await journal.close();
  });

  it('creates a new folder when its own was adopted', async () => {
    const journal = await open();
    await journal.append(JSON.stringify({ n: 1 }));
    const [segment = ''] = await segments();
    await rename(join(folder, dirname(segment)), join(folder, DEAD));
    await journal.maintain(Date.now() + 6_000);
    await journal.append(JSON.stringify({ n: 2 }));
    const other = await open();
    expect([await drain(other), await drain(journal)]).toEqual([[1], [2]]);
    await Promise.all([journal.close(), other.close()]);
  });

  it('refuses while it cannot write, and recovers', async () => {
    const journal = await open({ maxSegmentBytes: 1 });
    await journal.append(JSON.stringify({ n: 1 }));
    const [segment = ''] = await segments();
    const home = join(folder, dirname(segment));
    await rename(home, `${home}-away`); // as good as a disk that is gone, also for root
    await writeFile(home, '');
    await expect(journal.append(JSON.stringify({ n: 2 }))).rejects.toThrow(JournalUnwritableError);
    await expect(journal.maintain()).rejects.toThrow();
    expect(journal.isWritable).toBe(false);
    await rm(home);
    await rename(`${home}-away`, home);
    await journal.maintain();
    await journal.append(JSON.stringify({ n: 3 }));
    expect(await drain(journal)).toEqual([1, 3]);
    await journal.close();
  });

  it('does not open in a folder that it cannot write', async () => {
    await writeFile(folder, '');
    await expect(open()).rejects.toThrow();
  });
});

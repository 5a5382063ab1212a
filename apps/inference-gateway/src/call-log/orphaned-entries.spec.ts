import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { removeOrphanedEntries } from './orphaned-entries.js';

const uidOf = (digit: number) => `01234567-89ab-7def-8123-45678901234${digit}`;
const NOW = Date.UTC(2030, 0, 1);
const HOUR = 3_600_000;

describe('removeOrphanedEntries', () => {
  let folder: string;
  let journal: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hone-entries-'));
    journal = join(folder, 'journal');
    await mkdir(join(journal, 'home'), { recursive: true });
    await mkdir(join(folder, 'calls'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const anEntry = async (name: string, ageMs: number) => {
    const path = join(folder, 'calls', name);
    await writeFile(path, '{}');
    await utimes(path, (NOW - ageMs) / 1_000, (NOW - ageMs) / 1_000);
  };
  const remove = () => removeOrphanedEntries(join(folder, 'calls'), journal, NOW);

  it('removes old files that no journal names, and no others', async () => {
    for (let digit = 0; digit < 5; digit++) await anEntry(`${uidOf(digit)}.json`, 2 * HOUR);
    await anEntry(`${uidOf(5)}.json`, HOUR / 2);
    await anEntry('notes.txt', 2 * HOUR);
    await writeFile(join(journal, 'home', '1.log'), Buffer.from(`\0\0\0\xff{"uid":"${uidOf(1)}"}`, 'latin1'));
    await writeFile(join(journal, 'rejected.jsonl'), `{"uid":"${uidOf(2)}"}\n`);
    // The id lies across two reads of the file.
    await writeFile(join(journal, 'home', '2.log'), `${'x'.repeat(65_536 - 20)}${uidOf(3)}${'y'.repeat(70_000)}`);
    expect(await remove()).toBe(2);
    const kept = [1, 2, 3, 5].map((digit) => `${uidOf(digit)}.json`);
    expect((await readdir(join(folder, 'calls'))).sort()).toEqual([...kept, 'notes.txt'].sort());
  });

  it('does nothing where there is nothing', async () => {
    expect(await remove()).toBe(0);
    await rm(join(folder, 'calls'), { recursive: true });
    expect(await remove()).toBe(0);
  });

  it('removes nothing while it cannot read the journals', async () => {
    await anEntry(`${uidOf(0)}.json`, 2 * HOUR);
    await rm(journal, { recursive: true });
    await expect(remove()).rejects.toThrow();
    expect(await readdir(join(folder, 'calls'))).toHaveLength(1);
  });
});

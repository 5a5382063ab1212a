import { GroupCommit } from './group-commit.js';

/** A write that ends when the test releases it, and records the groups that it got. */
function heldWrite() {
  const groups: number[][] = [];
  let release: () => void = () => undefined;
  const write = async (rows: number[]): Promise<string[]> => {
    groups.push(rows);
    if (groups.length === 1) await new Promise<void>((resolve) => (release = resolve));
    if (rows.includes(13)) throw new Error('unlucky');
    return rows.map((row) => `stored ${row}`);
  };
  return { groups, write, release: () => release() };
}

describe('GroupCommit', () => {
  it('writes a lone row at once, and those that come meanwhile together', async () => {
    const { groups, write, release } = heldWrite();
    const commits = new GroupCommit(write, { rows: 256, bytes: 1_000 });
    const outcomes = [1, 2, 3].map((row) => commits.submit(row, 1));
    expect(groups).toEqual([[1]]);
    release();
    expect(await Promise.all(outcomes)).toEqual(['stored 1', 'stored 2', 'stored 3']);
    expect(groups).toEqual([[1], [2, 3]]);
  });

  it('keeps a group within its rows and bytes, and takes a row of any size alone', async () => {
    const { groups, write, release } = heldWrite();
    const commits = new GroupCommit(write, { rows: 2, bytes: 10 });
    const outcomes = [1, 2, 3, 4].map((row) => commits.submit(row, 1));
    outcomes.push(commits.submit(5, 9), commits.submit(6, 9), commits.submit(7, 50));
    release();
    await Promise.all(outcomes);
    expect(groups).toEqual([[1], [2, 3], [4, 5], [6], [7]]);
  });

  it('lets one bad row fail alone', async () => {
    const { write, release } = heldWrite();
    const commits = new GroupCommit(write, { rows: 256, bytes: 1_000 });
    const outcomes = [1, 12, 13, 14].map((row) => commits.submit(row, 1));
    release();
    const settled = await Promise.allSettled(outcomes);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  });
});

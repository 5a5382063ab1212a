import { chooseDataFile } from './choose-data-file.js';

const chosen = (...paths: string[]) => chooseDataFile(paths.map((path) => ({ path }))).path;

describe('chooseDataFile', () => {
  it('prefers the names that say what they are', () => {
    expect(chosen('a.jsonl', 'trajectories.jsonl', 'train.jsonl')).toBe('train.jsonl');
    expect(chosen('a.jsonl', 'trajectories.jsonl')).toBe('trajectories.jsonl');
  });

  it('takes the only file of JSON lines', () => {
    expect(chosen('readme.md', 'mine.jsonl')).toBe('mine.jsonl');
  });

  it('guesses nothing', () => {
    for (const paths of [['a.jsonl', 'b.jsonl'], ['readme.md'], []]) {
      expect(() => chosen(...paths)).toThrow(expect.objectContaining({ code: 'data.artifact_file' }));
    }
  });
});

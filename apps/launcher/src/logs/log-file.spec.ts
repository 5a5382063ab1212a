import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { LogFile } from './log-file.js';

describe('LogFile', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hone-log-'));
    file = join(folder, 'a.log');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('begins a new file at every start and keeps the one before, for the owner only', () => {
    new LogFile(file).write('first\n');
    new LogFile(file).write('second\n');
    expect([readFileSync(`${file}.1`, 'utf8'), readFileSync(file, 'utf8')]).toEqual(['first\n', 'second\n']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('begins a new file when one is full', () => {
    const log = new LogFile(file, 10);
    for (const line of ['0123456789\n', 'b\n', 'c\n']) log.write(line);
    expect([readFileSync(`${file}.1`, 'utf8'), readFileSync(file, 'utf8')]).toEqual(['0123456789\n', 'b\nc\n']);
  });

  it('stops nothing when it cannot be written', () => {
    expect(() => new LogFile('/nowhere/at/all/a.log').write('x')).not.toThrow();
  });
});

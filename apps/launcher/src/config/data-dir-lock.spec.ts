import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DataDirLock } from './data-dir-lock.js';

describe('DataDirLock', () => {
  let dir: string;
  beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'hone-lock-'))));
  afterEach(() => rmSync(dir, { recursive: true }));

  it('is held until it is released', () => {
    const lock = DataDirLock.take(dir);
    expect(() => DataDirLock.take(dir)).toThrow(`Another Hone (process ${process.pid}) runs on ${dir}`);
    lock.release();
    expect(existsSync(join(dir, 'launcher.lock'))).toBe(false);
    DataDirLock.take(dir).release();
  });

  it.each([
    ['a process that is gone', '999999999 1'],
    ['an older process of the same number', `${process.pid} 1`],
    ['nobody', ''],
  ])('is taken over from %s', (_who, content) => {
    writeFileSync(join(dir, 'launcher.lock'), content);
    DataDirLock.take(dir).release();
  });
});

import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { TempFolder } from './temp-folder.js';

describe('TempFolder', () => {
  let dataDir: string;
  beforeEach(() => (dataDir = mkdtempSync(join(tmpdir(), 'data-'))));
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  it('goes with everything in it, and leaves nothing in the data folder', () => {
    const folder = TempFolder.make(dataDir);
    writeFileSync(join(folder.path, 'socket'), '');

    folder.remove();

    expect(existsSync(folder.path)).toBe(false);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it('removes what a killed launcher left behind', () => {
    const left = TempFolder.make(dataDir);
    writeFileSync(join(left.path, 'socket'), '');

    const folder = TempFolder.make(dataDir);

    expect(existsSync(left.path)).toBe(false);
    expect(existsSync(folder.path)).toBe(true);
    folder.remove();
  });

  it('removes no folder that is not its own', () => {
    const other = join(dataDir, 'precious');
    mkdirSync(other);
    writeFileSync(join(dataDir, 'launcher.tmpdir'), other);

    TempFolder.make(dataDir).remove();

    expect(existsSync(other)).toBe(true);
  });
});

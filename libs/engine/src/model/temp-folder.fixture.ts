import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for each test of the surrounding `describe`, gone after it. Call the result for the current path. */
export function useTempFolder(): () => string {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hone-engine-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  return () => folder;
}

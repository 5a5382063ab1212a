import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { LaunchError } from './launch.error.js';

const PASSABLE = 0o011;

/**
 * Makes the folder of this server's data and its `logs`, which are for the owner's eyes.
 *
 * @throws LaunchError it cannot be used
 */
export function prepareDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true });
    mkdirSync(join(dataDir, 'logs'), { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.W_OK | constants.X_OK);
    // As root, Postgres runs as another user, who must get to its own folder inside this one.
    if (process.getuid?.() === 0) chmodSync(dataDir, statSync(dataDir).mode | PASSABLE);
  } catch (error) {
    throw new LaunchError(
      `HONE_DATA_DIR is wrong: expected a folder that may be written to. ${(error as Error).message}`,
    );
  }
}

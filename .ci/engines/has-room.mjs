/** Exit status 0: engines can be installed here, or are. */
import { existsSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

import { findPython } from '../python/find-python.mjs';

const BYTES = 20e9;
const REPOSITORY = join(import.meta.dirname, '../..');
const home = process.env.HONE_ENGINES_HOME ?? join(REPOSITORY, '.engines');

const { bavail, bsize } = statfsSync(REPOSITORY);
const hasRoom = bavail * bsize >= BYTES || existsSync(join(home, 'skyrl/bin/python'));
process.exitCode = findPython() !== null && hasRoom ? 0 : 1;

import { join, resolve } from 'node:path';

import type { ArtifactStore } from './artifact-store.js';
import { LocalArtifactStore } from './local/local-artifact-store.js';

/**
 * The store of a data folder (`HONE_DATA_DIR`), the same for every process that is given the same folder.
 *
 * @param dataDir made when it is missing, at the first write
 */
export const openArtifactStore = (dataDir: string): ArtifactStore =>
  new LocalArtifactStore(join(resolve(dataDir), 'artifacts'));

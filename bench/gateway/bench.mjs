import { measureAborts } from './aborts.mjs';
import { measureChunks } from './chunks.mjs';
import { measureFirstToken } from './first-token.mjs';
import { measureMemory } from './memory.mjs';
import { measureRequests } from './requests.mjs';

/** In the order they run; names are for `--only`. */
export const measures = {
  requests: measureRequests,
  chunks: measureChunks,
  'first-token': measureFirstToken,
  aborts: measureAborts,
  memory: measureMemory,
};

import { measureAborts } from './aborts.mjs';
import { measureChunks } from './chunks.mjs';
import { measureDoors } from './doors.mjs';
import { measureFirstToken } from './first-token.mjs';
import { measureLargeCalls } from './large-calls.mjs';
import { measureLogging } from './logging.mjs';
import { measureMemory } from './memory.mjs';
import { measureRequests } from './requests.mjs';

/** In the order they run; names are for `--only`. */
export const measures = {
  requests: measureRequests,
  chunks: measureChunks,
  doors: measureDoors,
  'first-token': measureFirstToken,
  logging: measureLogging,
  'large-calls': measureLargeCalls,
  aborts: measureAborts,
  memory: measureMemory,
};

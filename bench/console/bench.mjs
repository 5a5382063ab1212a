import { measureLive } from './live.mjs';
import { measureLoad } from './load.mjs';
import { measurePayload } from './payload.mjs';
import { measurePolling } from './polling.mjs';
import { measureScroll } from './scroll.mjs';
import { measureTrace } from './trace.mjs';

/** In the order they run; names are for `--only`. */
export const measures = {
  load: measureLoad,
  scroll: measureScroll,
  trace: measureTrace,
  payload: measurePayload,
  live: measureLive,
  polling: measurePolling,
};

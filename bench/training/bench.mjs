import { measureDepth } from './depth.mjs';
import { measureFairness } from './fairness.mjs';
import { measureGradientShare } from './gradient-share.mjs';
import { measureJobStart } from './job-start.mjs';
import { measureLargeLog } from './large-log.mjs';
import { measurePlanning } from './planning.mjs';

/** In the order they run; names are for `--only`. */
export const measures = {
  start: measureJobStart,
  planning: measurePlanning,
  share: measureGradientShare,
  fairness: measureFairness,
  depth: measureDepth,
  log: measureLargeLog,
};

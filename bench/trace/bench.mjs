import { measureStart } from '../start/measure-start.mjs';
import { measureExport } from './export.mjs';
import { measureBatches } from './feedback-batches.mjs';
import { measureSingles } from './feedback-singles.mjs';
import { measureHeavyBodies } from './heavy-bodies.mjs';
import { measurePages } from './object-pages.mjs';

/** In the order they run; names are for `--only`. */
export const measures = {
  batches: measureBatches,
  singles: measureSingles,
  heavy: measureHeavyBodies,
  pages: measurePages,
  export: measureExport,
  start: measureStart,
};

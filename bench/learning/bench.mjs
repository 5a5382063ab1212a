import { measurePlanning } from './planning.mjs';
import { measureThumbs } from './thumbs.mjs';

/** In the order they run; names are for `--only`. */
export const measures = {
  planning: measurePlanning,
  thumbs: measureThumbs,
};

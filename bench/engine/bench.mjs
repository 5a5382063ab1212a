import { measureTrainStep } from './train-step.mjs';

/** In the order they run; names are for `--only`. */
export const measures = {
  'train-step': measureTrainStep,
};

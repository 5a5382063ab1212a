import { measureRemoteStep } from './remote-step.mjs';

/** In the order they run; names are for `--only`. */
export const measures = {
  step: measureRemoteStep,
};

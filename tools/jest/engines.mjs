import preset from '../../jest.preset.mjs';

/** Specs against real engines, which `.ci/engines/run.mjs` installs and starts. */
export default {
  ...preset,
  testMatch: ['**/*.engines-spec.ts'],
  // Engines take every core there is.
  maxWorkers: 1,
  testTimeout: 900_000,
};

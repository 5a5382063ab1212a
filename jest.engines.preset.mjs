import preset from './jest.preset.mjs';

/** Specs against real engines, which `.ci/engines/run.mjs` installs and starts. */
export default {
  ...preset,
  testMatch: ['**/*.engines-spec.ts', '**/*.engines.e2e-spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  // Engines take every core there is.
  maxWorkers: 1,
  testTimeout: 900_000,
};

import preset from '../../jest.preset.mjs';

/**
 * Specs that plant a violation of each rule and a failure in each step of CI, and start the linter, the compiler, the check
 * of imports and `.ci/run.mjs` on them.
 */
export default {
  ...preset,
  globalSetup: undefined,
  globalTeardown: undefined,
  testMatch: ['**/*.lint-spec.ts'],
};

import preset from './jest.preset.mjs';

/** Specs that plant violations of each rule and start the linter, the compiler and the check of imports on them. */
export default {
  ...preset,
  globalSetup: undefined,
  globalTeardown: undefined,
  testMatch: ['**/*.lint-spec.ts'],
};

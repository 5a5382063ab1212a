import preset from '../../jest.preset.mjs';

/** Specs in a real browser against a running Hone, both of which `.ci/browser/run.mjs` provides. */
export default {
  ...preset,
  globalSetup: undefined,
  globalTeardown: undefined,
  testMatch: ['**/*.browser-spec.ts'],
  maxWorkers: 2,
};

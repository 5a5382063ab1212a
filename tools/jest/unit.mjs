import preset from '../../jest.preset.mjs';

const { globalSetup, globalTeardown, ...shared } = preset;

/** The specs that need no database, no process and no build. */
export default {
  ...shared,
  testMatch: ['**/*.spec.ts'],
  testEnvironment: '<rootDir>/libs/testing/src/jest/unit-environment.mjs',
};

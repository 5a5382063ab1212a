/** One preset for every project. Test files are loaded by Node.js, compiled as the build does. */
export default {
  rootDir: import.meta.dirname,
  roots: ['<rootDir>/apps', '<rootDir>/libs'],
  testMatch: ['**/*.spec.ts', '**/*.e2e-spec.ts'],
  globalSetup: '<rootDir>/libs/testing/src/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/libs/testing/src/jest/global-teardown.mjs',
  reporters: ['default', '<rootDir>/libs/testing/src/jest/closing-counts-reporter.mjs'],
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  // On two cores: a seventh of the time of two workers goes by while both wait for processes, pauses and the database.
  maxWorkers: 3,
  // Twice what `until` waits for anything, so that its error is the one that is seen.
  testTimeout: 120_000,
  // What suites leave in a worker's memory goes with it.
  workerIdleMemoryLimit: '1GB',
  runtime: '<rootDir>/libs/testing/src/jest/native-runtime.mjs',
  testEnvironment: '<rootDir>/libs/testing/src/jest/node-environment.mjs',
  moduleFileExtensions: ['ts', 'js', 'mjs', 'json', 'node'],
  transform: {},
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/'],
};

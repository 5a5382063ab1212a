const REPOSITORY = import.meta.dirname;
const JEST = `${REPOSITORY}/libs/testing/src/jest`;
/** Run in the folder of a project: its specs. Run in the repository's folder: those of all projects. */
const roots = process.cwd() === REPOSITORY ? [`${REPOSITORY}/apps`, `${REPOSITORY}/libs`] : [process.cwd()];

/** One preset for every project. Node.js loads the test files, compiled as the build does. */
export default {
  rootDir: REPOSITORY,
  roots,
  testMatch: ['**/*.spec.ts', '**/*.e2e-spec.ts'],
  globalSetup: `${JEST}/global-setup.mjs`,
  globalTeardown: `${JEST}/global-teardown.mjs`,
  reporters: ['default', `${JEST}/closing-counts-reporter.mjs`],
  cacheDirectory: `${REPOSITORY}/node_modules/.cache/jest`,
  testSequencer: `${JEST}/longest-first.mjs`,
  maxWorkers: 2,
  // More than `until` waits for two things, so that its error is the one that is seen.
  testTimeout: 400_000,
  // What test files leave in a worker's memory goes with it.
  workerIdleMemoryLimit: '1GB',
  runtime: `${JEST}/native-runtime.mjs`,
  testEnvironment: `${JEST}/node-environment.mjs`,
  moduleFileExtensions: ['ts', 'js', 'mjs', 'json', 'node'],
  transform: {},
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/'],
};

import { readFileSync } from 'node:fs';

const { exclude, $schema, ...swcrc } = JSON.parse(readFileSync(`${import.meta.dirname}/.swcrc`, 'utf8'));

/** One preset for every project: ESM as in production, swc as in the build. */
export default {
  rootDir: import.meta.dirname,
  roots: ['<rootDir>/apps', '<rootDir>/libs'],
  testMatch: ['**/*.spec.ts', '**/*.e2e-spec.ts'],
  globalSetup: '<rootDir>/libs/testing/src/jest/global-setup.ts',
  globalTeardown: '<rootDir>/libs/testing/src/jest/global-teardown.ts',
  reporters: ['default', '<rootDir>/libs/testing/src/jest/closing-counts-reporter.mjs'],
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  // On two cores: a seventh of the time of two workers goes by while both wait for processes, pauses and the database.
  maxWorkers: 3,
  // Twice what `until` waits for anything, so that its error is the one that is seen.
  testTimeout: 120_000,
  // ESM modules of finished suites stay in a worker's memory.
  workerIdleMemoryLimit: '1GB',
  testEnvironment: '<rootDir>/libs/testing/src/jest/node-environment.mjs',
  extensionsToTreatAsEsm: ['.ts'],
  moduleFileExtensions: ['ts', 'js', 'mjs', 'json', 'node'],
  moduleNameMapper: {
    '^@hone/testing/fake-upstream$': `${import.meta.dirname}/libs/testing/src/fake-upstream/index.ts`,
    '^@hone/testing/until$': `${import.meta.dirname}/libs/testing/src/until.ts`,
    '^@hone/platform/process-start$': `${import.meta.dirname}/libs/platform/src/process/process-start.ts`,
    '^@hone/platform/config$': `${import.meta.dirname}/libs/platform/src/config/index.ts`,
    '^@hone/platform/configuration-file$': `${import.meta.dirname}/libs/platform/src/configuration-file/index.ts`,
    '^@hone/platform/docs-page$': `${import.meta.dirname}/libs/platform/src/openapi/docs-page.ts`,
    '^@hone/calls/redaction$': `${import.meta.dirname}/libs/calls/src/redaction/redaction.ts`,
    '^@hone/contracts/json$': `${import.meta.dirname}/libs/contracts/src/json/index.ts`,
    '^@hone/([^/]+)$': `${import.meta.dirname}/libs/$1/src/index.ts`,
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  transform: {
    '\\.ts$': ['@swc/jest', { ...swcrc, swcrc: false }],
    'node_modules/cookie/.*\\.js$': ['@swc/jest', { module: { type: 'commonjs' } }],
  },
  // light-my-request requires `cookie`, which is ESM: Jest cannot require() ESM, so that one package is transformed.
  transformIgnorePatterns: ['/node_modules/(?!cookie/)'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/'],
};

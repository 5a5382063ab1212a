/** One preset for every project: ESM as in production, swc as in the build. */
export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  moduleFileExtensions: ['ts', 'js', 'mjs', 'json', 'node'],
  moduleNameMapper: {
    '^@hone/([^/]+)$': `${import.meta.dirname}/libs/$1/src/index.ts`,
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  transform: { '\\.ts$': ['@swc/jest', { configFile: `${import.meta.dirname}/.swcrc`, exclude: [] }], 'node_modules/cookie/.*\\.js$': ['@swc/jest', { module: { type: 'commonjs' } }] },
  // light-my-request requires `cookie`, which is ESM: Jest cannot require() ESM, so that one package is transformed.
  transformIgnorePatterns: ['/node_modules/(?!cookie/)'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/'],
};

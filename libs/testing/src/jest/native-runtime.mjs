import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

import { jest } from './globals.mjs';
import { registerSources, sourceMapOf } from './sources.mjs';

const require = createRequire(import.meta.url);
/** Where `jest.setTimeout` leaves its limit for jest-circus. */
const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');

/** Finds the file of a map by the name that a stack has for its source; lists none. */
const sourceMaps = new (class extends Map {
  get(source) {
    return sourceMapOf(source);
  }
})();

registerSources();

/**
 * Loads test files by Node.js itself, where Jest would load every module of every file anew into a realm of its own:
 * what a worker has loaded once it has, and code runs as fast as in production. So module state lives as long as the
 * worker, and modules cannot be mocked. Everything else of Jest is as ever: this is the part of `jest-runtime` that its
 * runner and jest-circus call.
 */
export default class NativeRuntime {
  #environment = { ...process.env };
  #exit = process.exit;

  constructor() {
    delete globalThis[TIMEOUT];
  }

  /** jest-circus keeps the tests of a file in the state of this module, so each file has it anew. */
  requireInternalModule(path) {
    delete require.cache[path];
    return require(path);
  }

  requireModule(path) {
    return require(path);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(path) {
    await import(pathToFileURL(path).href);
  }

  setGlobalsForRuntime() {}

  enterTestCode() {}

  leaveTestCode() {}

  getSourceMaps() {
    return sourceMaps;
  }

  getAllCoverageInfoCopy() {
    return undefined;
  }

  /** What one file has changed does not reach the next. */
  teardown() {
    jest.restoreAllMocks();
    process.exit = this.#exit;
    for (const name of Object.keys(process.env)) if (!(name in this.#environment)) delete process.env[name];
    Object.assign(process.env, this.#environment);
  }
}

import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

import { restore } from './globals.mjs';
import { ProcessState } from './process-state.mjs';
import { registerSources, sourceMapOf } from './sources.mjs';

const require = createRequire(import.meta.url);

/** Finds the file of a source map by the name that a stack trace has for its source; lists none. */
const sourceMaps = new (class extends Map {
  get(source) {
    return sourceMapOf(source);
  }
})();

/** Symbols under which jest-circus keeps the tests of a file, and what is called for each of them, as globals. */
const CIRCUS_STATE = ['EVENT_HANDLERS', 'JEST_STATE_SYMBOL'];

registerSources();

/**
 * Loads test files by Node.js's own module loader, where Jest would load every module again, for each test file, into a
 * realm of its own. A worker loads a module once, and code runs as fast as in production. The price: the state of a
 * module lives as long as its worker, and modules cannot be mocked. What a test file changes in the process is undone
 * after it (`ProcessState`). This is the part of `jest-runtime` that Jest's runner and jest-circus call; everything else
 * is Jest's own.
 */
export default class NativeRuntime {
  #before = new ProcessState();

  /** jest-circus keeps the tests of a file in the state of this module, so each file gets a new copy. */
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

  teardown() {
    restore();
    this.#before.restore();
    for (const key of Reflect.ownKeys(globalThis)) {
      if (typeof key === 'symbol' && CIRCUS_STATE.includes(key.description)) Reflect.deleteProperty(globalThis, key);
    }
  }
}

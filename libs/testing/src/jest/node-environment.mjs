/** The process itself, as test files are loaded by Node.js (see `native-runtime.mjs`). */
export default class NodeEnvironment {
  global = globalThis;

  async setup() {}

  async teardown() {}

  getVmContext() {
    return null;
  }
}

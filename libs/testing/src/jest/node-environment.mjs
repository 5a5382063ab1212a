/** The process itself is the environment of a test file, because Node.js loads it (see `native-runtime.mjs`). */
export default class NodeEnvironment {
  global = globalThis;

  async setup() {}

  async teardown() {}

  getVmContext() {
    return null;
  }
}

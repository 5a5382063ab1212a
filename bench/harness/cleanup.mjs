/** Clean-up tasks for the end of the run, however it ends: last in, first out. */
export class Cleanup {
  #tasks = [];
  #running;
  /** Whether the run was interrupted: later failures are a consequence. */
  isStopping = false;

  constructor() {
    for (const [signal, exitCode] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
      ['SIGHUP', 129],
    ]) {
      process.on(signal, () => {
        if (!this.isStopping) process.stderr.write('\nstopping\n');
        this.isStopping = true;
        void this.run().then(() => process.exit(exitCode));
      });
    }
  }

  /**
   * @param {() => unknown} task
   * @returns {() => Promise<void>} does it now instead of at the end
   */
  add(task) {
    if (this.isStopping) void Promise.resolve().then(task);
    this.#tasks.push(task);
    return async () => {
      const at = this.#tasks.indexOf(task);
      if (at < 0) return;
      this.#tasks.splice(at, 1);
      await task();
    };
  }

  /** A second call waits for the first. */
  run() {
    this.#running ??= this.#undoAll();
    return this.#running;
  }

  async #undoAll() {
    for (let task = this.#tasks.pop(); task; task = this.#tasks.pop()) {
      try {
        await task();
      } catch (error) {
        console.error('clean-up:', error);
      }
    }
  }
}

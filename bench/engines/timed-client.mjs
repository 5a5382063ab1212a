import { TinkerClient } from '@hone/tinker';

/** CPU time of this process so far, in milliseconds. */
export function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** A client that knows how much of this process's CPU time its passes and steps took, from the call to the result. */
export class TimedClient extends TinkerClient {
  #ms = 0;

  forwardBackward(...args) {
    return this.#timed(() => super.forwardBackward(...args));
  }

  optimStep(...args) {
    return this.#timed(() => super.optimStep(...args));
  }

  /** Milliseconds of CPU time since the last call of this. */
  take() {
    const ms = this.#ms;
    this.#ms = 0;
    return ms;
  }

  async #timed(call) {
    const start = cpuMs();
    try {
      return await call();
    } finally {
      this.#ms += cpuMs() - start;
    }
  }
}

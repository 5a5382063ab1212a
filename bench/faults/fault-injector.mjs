import { setTimeout as sleep } from 'node:timers/promises';

/** The faults, with their relative frequency. */
const FAULTS = [
  { name: 'kill -9', weight: 5, act: (pid) => process.kill(pid, 'SIGKILL') },
  { name: 'SIGTERM', weight: 2, act: (pid) => process.kill(pid, 'SIGTERM') },
  { name: 'frozen for a while', weight: 2, act: freeze },
];
const TARGETS = [
  'apps/trace',
  'apps/training',
  'apps/trainer',
  'apps/inference-gateway',
  'apps/evaluation',
  'apps/accounts',
  'apps/proxy',
  'libs/engine',
  'postgres',
];

/** Injects a fault into one process after the other, at random moments, each kind of process as often as the others. */
export class FaultInjector {
  /** `<process>: <fault>` -> how often. */
  counts = new Map();
  total = 0;

  /** @param everyMs between two faults, on the average */
  constructor(stack, random, everyMs) {
    Object.assign(this, { stack, random, everyMs });
  }

  /** @param over aborted when no more are wanted */
  async run(over) {
    while (!over.aborted) {
      await sleep(this.everyMs * (0.3 + this.random() * 1.4), undefined, { signal: over }).catch(() => undefined);
      if (!over.aborted) await this.#inject();
    }
  }

  async #inject() {
    const target = this.#pick(TARGETS.map((name) => ({ name, weight: 1 }))).name;
    const found = this.stack.processes().filter(({ command }) => command.includes(target));
    if (found.length === 0) return;
    // Postgres is a server process and one process per connection: either may be the target.
    const { pid } = found[Math.floor(this.random() * found.length)];
    const fault = this.#pick(FAULTS);
    try {
      await fault.act(pid, this.random);
    } catch {
      return; // it ended by itself
    }
    this.total += 1;
    const name = `${target}: ${fault.name}`;
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  #pick(choices) {
    let left = this.random() * choices.reduce((sum, { weight }) => sum + weight, 0);
    return choices.find(({ weight }) => (left -= weight) < 0) ?? choices[0];
  }
}

async function freeze(pid, random) {
  process.kill(pid, 'SIGSTOP');
  await sleep(500 + random() * 8_000);
  process.kill(pid, 'SIGCONT');
}

import { setTimeout as sleep } from 'node:timers/promises';

/** How a process is hurt, and how often in relation to the others. */
const HARMS = [
  { name: 'kill -9', weight: 5, act: (pid) => process.kill(pid, 'SIGKILL') },
  { name: 'SIGTERM', weight: 2, act: (pid) => process.kill(pid, 'SIGTERM') },
  { name: 'stopped for a while', weight: 2, act: pause },
];
const VICTIMS = [
  'apps/trace',
  'apps/training',
  'apps/trainer',
  'apps/inference-gateway',
  'apps/accounts',
  'apps/proxy',
  'libs/engine',
  'postgres',
];

/** Hurts one process after the other, at random moments, each kind of process as often as the others. */
export class Saboteur {
  /** What was done: `<victim>: <harm>` -> how often. */
  deeds = new Map();
  kills = 0;

  /** @param everyMs between two faults, on the average */
  constructor(stack, random, everyMs) {
    Object.assign(this, { stack, random, everyMs });
  }

  async run(untilMs) {
    while (Date.now() < untilMs) {
      await sleep(this.everyMs * (0.3 + this.random() * 1.4));
      if (Date.now() < untilMs) await this.#hurt();
    }
  }

  async #hurt() {
    const victim = this.#pick(VICTIMS.map((name) => ({ name, weight: 1 }))).name;
    const found = this.stack.processes().filter(({ command }) => command.includes(victim));
    if (found.length === 0) return;
    // Of Postgres the first is the server, the others are its connections: both are worth losing.
    const { pid } = found[Math.floor(this.random() * found.length)];
    const harm = this.#pick(HARMS);
    try {
      await harm.act(pid, this.random);
    } catch {
      return; // it ended by itself
    }
    this.kills += 1;
    const deed = `${victim}: ${harm.name}`;
    this.deeds.set(deed, (this.deeds.get(deed) ?? 0) + 1);
  }

  #pick(choices) {
    let left = this.random() * choices.reduce((sum, { weight }) => sum + weight, 0);
    return choices.find(({ weight }) => (left -= weight) < 0) ?? choices[0];
  }
}

async function pause(pid, random) {
  process.kill(pid, 'SIGSTOP');
  await sleep(500 + random() * 8_000);
  process.kill(pid, 'SIGCONT');
}

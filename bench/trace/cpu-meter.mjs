import { cpuSecondsOfTree, HAS_PROC } from '../harness/processes.mjs';

/** Processor time per unit of work: what a busy machine cannot distort as it distorts rates. */
export class CpuMeter {
  #roots;
  /** Unit count and seconds per process tree, by the name of the side. */
  #used = {};

  /** @param {Record<string, number>} roots process id by name */
  constructor(roots) {
    this.#roots = roots;
  }

  /** Runs `work` as part of `side`. @param {() => Promise<{ units: number }>} work */
  async count(side, work) {
    const before = this.#read();
    const result = await work();
    const after = this.#read();
    const used = (this.#used[side] ??= { units: 0, seconds: {} });
    used.units += result.units;
    for (const name of Object.keys(this.#roots)) {
      used.seconds[name] = (used.seconds[name] ?? 0) + after[name] - before[name];
    }
    return result;
  }

  /** One sentence, for example `CPU per row: service 40 us + Postgres 30 us; bare Postgres 20 us`. */
  note(unit) {
    if (!HAS_PROC) return undefined;
    const per = (side, name) => {
      const { seconds, units } = this.#used[side];
      return `${Math.round((seconds[name] * 1e6) / units)} us`;
    };
    return (
      `CPU per ${unit}: service ${per('hone', 'service')} + Postgres ${per('hone', 'postgres')}; ` +
      `peer: Postgres ${per('peer', 'postgres')}`
    );
  }

  #read() {
    if (!HAS_PROC) return {};
    return Object.fromEntries(Object.entries(this.#roots).map(([name, pid]) => [name, cpuSecondsOfTree(pid)]));
  }
}

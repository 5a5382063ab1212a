import { inTurn, runFor } from '../harness/load.mjs';
import { median } from '../harness/statistics.mjs';
import { CpuMeter } from './cpu-meter.mjs';

/**
 * Rounds of Hone and of its peer in turn (A B A B).
 *
 * @returns the median rate of each side, Hone's rounds, how many rows both stored, and the meter of processor time
 */
export async function takeTurns({ options, progress }, { trace, world, throughHone, bare }) {
  const [rounds, ms] = options.quick ? [2, 700] : [5, 3_000];
  const cpu = new CpuMeter({ service: trace.pid, postgres: world.postgresPid });
  let stored = 0;
  const counted = async (side, workers) => {
    const result = await cpu.count(side, () => runFor(ms, workers));
    stored += result.units;
    return result;
  };
  const { a, b } = await inTurn(
    rounds,
    () => counted('hone', throughHone),
    () => counted('peer', bare),
    (round) => progress.detail(`round ${round} of ${rounds}`),
  );
  const rate = (rounds) => median(rounds.map(({ perSecond }) => perSecond));
  return { value: rate(a), peer: rate(b), honeRounds: a, stored, cpu };
}

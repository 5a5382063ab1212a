import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** The core that the measured process has to itself, and those of everything else: load, mock, Postgres. */
const MEASURED = '0';
const OTHERS = `1-${availableParallelism() - 1}`;

/** Whether processes can be kept on cores here; otherwise they share all of them, and a note says so. */
export const CAN_PIN = availableParallelism() > 1 && spawnSync('taskset', ['-V']).status === 0;

export const pinMeasured = (pid) => pin(pid, MEASURED);

/** What the process starts from now on stays there, too. */
export const pinOther = (pid) => pin(pid, OTHERS);

function pin(pid, cores) {
  if (!CAN_PIN) return;
  const { status, stderr } = spawnSync('taskset', ['-a', '-cp', cores, String(pid)]);
  if (status !== 0) throw new Error(`taskset: ${stderr}`);
}

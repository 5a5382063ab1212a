import { createInterface } from 'node:readline';

import { ALL_ENDED, endProcesses } from './server-processes.js';

/**
 * Kills the processes of a server as soon as its standard input ends, which it does however the process at the other end
 * ends. The argument is their mark; each line of the input is one of their groups, or says that all of them have ended.
 */
const [, , mark] = process.argv;
if (mark === undefined) throw new Error('usage: end-with-parent.js NAME=value');
const groups = new Set<number>();
createInterface(process.stdin)
  .on('line', (line) => (line === ALL_ENDED ? groups.clear() : groups.add(Number(line))))
  .once('close', () => void endProcesses({ mark, groups }));

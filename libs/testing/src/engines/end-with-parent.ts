import { createInterface } from 'node:readline';

import { endProcesses } from './server-processes.js';

/**
 * Kills the processes of a server as soon as its standard input ends, which it does however the process at the other end
 * ends. The argument is their mark; each line of the input is one of their groups.
 */
const [, , mark] = process.argv;
if (mark === undefined) throw new Error('usage: end-with-parent.js NAME=value');
const groups = new Set<number>();
createInterface(process.stdin)
  .on('line', (line) => groups.add(Number(line)))
  .once('close', () => void endProcesses({ mark, groups }));

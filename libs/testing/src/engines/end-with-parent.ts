import { endMarked } from './marked-processes.js';

/**
 * Kills the processes with the mark of its argument as soon as its standard input ends, which it does however the process
 * at the other end ends.
 */
const [, , mark] = process.argv;
if (mark === undefined) throw new Error('usage: end-with-parent.js NAME=value');
process.stdin.resume().once('close', () => void endMarked(mark));

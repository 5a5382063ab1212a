import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** Whether this system reports the memory of processes in `/proc`. */
export const HAS_PROC = process.platform === 'linux';

/** Unit of the times in `/proc`; the same on every Linux of today. */
const TICKS_PER_SECOND = 100;
const ZOMBIE = 'Z';
/** Pauses before the priority of a session is set again, and how many of them. */
const AGAIN_MS = 50;
const MAX_TRIES = 20;
/** Start time of a process that ended before it could be read. */
const GONE = 0;

/**
 * @typedef {object} ProcessMemory
 * @property {number} pid
 * @property {number} startTicks when it began; systems give the numbers of dead processes to new ones
 * @property {string} command
 * @property {number} residentMiB shared pages count in full
 * @property {number} [proportionalMiB] shared pages count by the share of each process that has them
 */

/** A process and all that descend from it. @returns {ProcessMemory[]} */
export function memoryOfTree(rootPid) {
  return pidsOfTree(rootPid).map((pid) => ({
    pid,
    startTicks: statOf(pid).startTicks,
    command: commandOf(pid),
    residentMiB: residentMiB(pid),
    proportionalMiB: proportionalMiB(pid),
  }));
}

/** The same processes by name alone: reading how much memory one has makes it wait for as long. */
export const commandsOfTree = (rootPid) => pidsOfTree(rootPid).map((pid) => ({ pid, command: commandOf(pid) }));

/** Processor time of a process and its living descendants. */
export function cpuSecondsOfTree(rootPid) {
  return pidsOfTree(rootPid).reduce((total, pid) => {
    const { userTicks, systemTicks } = statOf(pid);
    return total + (userTicks + systemTicks) / TICKS_PER_SECOND;
  }, 0);
}

/**
 * Gives a process and its descendants the lowest scheduling priority. Linux weighs tasks
 * within their session and sessions against each other (autogroups, sched(7)), and each process of Postgres has one of
 * its own.
 */
export async function giveWay(rootPid) {
  if (!HAS_PROC) return;
  for (const pid of pidsOfTree(rootPid)) {
    try {
      setPriority(pid, constants.priority.PRIORITY_LOW);
      await weighSession(pid, constants.priority.PRIORITY_LOW);
    } catch {
      // It ended meanwhile, or this kernel has no autogroups.
    }
  }
}

/** Linux limits users other than root to one change per 0.1 s and answers EAGAIN. */
async function weighSession(pid, priority) {
  for (let tries = 0; ; tries++) {
    try {
      return writeFileSync(`/proc/${pid}/autogroup`, String(priority));
    } catch (error) {
      if (error.code !== 'EAGAIN' || tries === MAX_TRIES) throw error;
      await sleep(AGAIN_MS);
    }
  }
}

/** The process with this number is that one, and has not ended. */
export function isAlive({ pid, startTicks }) {
  const now = statOf(pid);
  return startTicks !== GONE && now.startTicks === startTicks && now.state !== ZOMBIE;
}

function statOf(pid) {
  // The name of the program is in brackets and may hold blanks; the state comes after it.
  const fields = read(`/proc/${pid}/stat`).split(') ').at(-1).split(' ');
  const at = (index) => Number(fields[index] ?? 0);
  return { state: fields[0], userTicks: at(11), systemTicks: at(12), startTicks: at(19) };
}

function pidsOfTree(rootPid) {
  const parents = new Map();
  for (const name of readdirSync('/proc')) {
    if (/^\d+$/.test(name)) parents.set(Number(name), Number(statusField(Number(name), 'PPid')));
  }
  const isInTree = (pid) => pid === rootPid || (parents.has(pid) && isInTree(parents.get(pid)));
  return [...parents.keys()].filter(isInTree);
}

export const residentMiB = (pid) => parseInt(statusField(pid, 'VmRSS') ?? '0', 10) / 1_024;

/** The most that was ever resident. */
export const peakResidentMiB = (pid) => parseInt(statusField(pid, 'VmHWM') ?? '0', 10) / 1_024;

function proportionalMiB(pid) {
  const kib = /^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`));
  return kib ? Number(kib[1]) / 1_024 : undefined;
}

function statusField(pid, field) {
  return new RegExp(`^${field}:\\s+(\\S+)`, 'm').exec(read(`/proc/${pid}/status`))?.[1];
}

/** `node main.js` by its folder, a Postgres process by its title, all else by its file. */
function commandOf(pid) {
  const words = read(`/proc/${pid}/cmdline`).split('\0').filter(Boolean);
  if (words[0]?.startsWith('postgres:')) return words.join(' ');
  if (!words[0]?.endsWith('node')) return words[0]?.split('/').at(-1) ?? '';
  const script = words.slice(1).find((word) => !word.startsWith('-')) ?? '';
  return `node ${/(?:apps|libs)\/[^/]+/.exec(script)?.[0] ?? script.split('/').at(-1)}`;
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // it ended meanwhile
  }
}

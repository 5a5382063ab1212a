import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';

import { processStart } from '@hone/platform/process-start';

/** An owner in another container, or on another machine, counts as dead after this long without a heartbeat. */
const SILENCE_MS = 60_000;

interface Owner {
  /** Boot id of the machine: pids are valid within one boot only. */
  boot: string;
  /** Pid namespace; a container has its own. */
  pidNamespace: string;
  pid: number;
  /** Start time in clock ticks: it distinguishes a reused pid from the original process. */
  start: string;
}

/** Name of a journal's folder: the process that writes it, and a random part, so that no two are the same. */
export function newOwnerName(): string {
  const { boot, pidNamespace, pid, start } = describe(process.pid);
  return [boot, pidNamespace, pid, start, randomBytes(4).toString('hex')].join('.');
}

/**
 * Whether the process that a folder is named after still runs. The process table decides where it can; otherwise the
 * folder's last heartbeat does.
 */
export function isOwnerAlive(folderName: string, lastBeatMs: number, nowMs: number): boolean {
  const owner = parse(folderName);
  if (!owner) return false; // released by its owner
  const us = describe(owner.pid);
  if (owner.boot === us.boot && owner.pidNamespace === us.pidNamespace) return owner.start === us.start;
  return nowMs - lastBeatMs < SILENCE_MS;
}

function parse(name: string): Owner | undefined {
  const [boot, pidNamespace, pid, start, ...rest] = name.split('.');
  if (!boot || !pidNamespace || !pid || !start || rest.length !== 1) return undefined;
  return { boot, pidNamespace, pid: Number(pid), start };
}

function describe(pid: number): Owner {
  if (process.platform !== 'linux') return { boot: 'local', pidNamespace: 'local', pid, start: startOf(pid) };
  return { boot: bootId(), pidNamespace: pidNamespace(), pid, start: startOf(pid) };
}

const bootId = (): string =>
  tryRead(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').replace(/[^0-9a-f]/g, ''));

const pidNamespace = (): string => tryRead(() => readlinkSync('/proc/self/ns/pid').replace(/\D/g, ''));

const startOf = (pid: number): string => processStart(pid) ?? 'none';

function tryRead(read: () => string): string {
  try {
    return read();
  } catch {
    return 'none';
  }
}

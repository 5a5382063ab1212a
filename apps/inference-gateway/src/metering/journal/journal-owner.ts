import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';

import { processStart } from '@hone/platform/process-start';

/** Longest silence of an owner that we cannot look up: another container, or another machine on a shared disk. */
const SILENCE_MS = 60_000;

interface Owner {
  /** The machine and its start: pids of another one mean nothing here. */
  boot: string;
  /** The table that pids are numbers in; a container has its own. */
  pidNamespace: string;
  pid: number;
  /** In the system's own count: a pid that is used again is another process. */
  start: string;
}

/** Name of the folder of one journal: who writes it, and a random part, so that no two are ever the same. */
export function newOwnerName(): string {
  const { boot, pidNamespace, pid, start } = describe(process.pid);
  return [boot, pidNamespace, pid, start, randomBytes(4).toString('hex')].join('.');
}

/**
 * Whether the process that a folder is named after still runs. It is looked up where that is possible; otherwise the
 * folder's last sign of life decides.
 */
export function isOwnerAlive(folderName: string, lastBeatMs: number, nowMs: number): boolean {
  const owner = parse(folderName);
  if (!owner) return false; // given up by its owner
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

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { LaunchError } from '../config/launch.error.js';

const SCRIPT = join(import.meta.dirname, '../../../../libs/database/dist/bin/migrate.js');

/**
 * Brings the database up to date, in a process of its own, which ends at once when the start is cancelled.
 *
 * @returns what was done, as one sentence
 * @throws LaunchError
 */
export async function migrateInChild(databaseUrl: string, signal: AbortSignal): Promise<string> {
  const child = spawn(process.execPath, [SCRIPT], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  const [said, complaint, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code === 0) return said.trim();
  throw new LaunchError(`The database could not be brought up to date. ${firstError(complaint)}`);
}

/** The line of a stack trace that says what happened. */
const firstError = (complaint: string): string =>
  complaint.split('\n').find((line) => /^\s*(\w*Error\b|\[cause\])/.test(line)) ?? complaint.trim().slice(0, 500);

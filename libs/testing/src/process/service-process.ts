import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

import { freePort } from '@hone/database';

const APPS = join(import.meta.dirname, '../../../../apps');
/** Generous: the machine may be busy with other tests. */
const START_TIMEOUT_MS = 110_000;

/** A service as it runs in production: its built main file in a process of its own. */
export interface ServiceProcess {
  url: string;
  child: ChildProcess;
  /** What it has written so far. */
  output: () => string;
  /** Sends a signal (default SIGTERM) and resolves with the exit code; null when the signal ended it. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

/** Starts `apps/<app>/dist/main.js` and waits until it listens. */
export async function startService(app: string, env: Record<string, string>, port?: number): Promise<ServiceProcess> {
  if (port !== undefined) return startOn(port, app, env);
  for (;;) {
    try {
      return await startOn(await freePort(), app, env);
    } catch (error) {
      // Another process took the port.
      if (!(error as Error).message.includes('EADDRINUSE')) throw error;
    }
  }
}

async function startOn(port: number, app: string, env: Record<string, string>): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [join(APPS, app, 'dist/main.js')], {
    env: { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: String(port), HONE_LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => output.push(chunk));
  const text = () => Buffer.concat(output).toString();
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`${app} did not start:\n${text()}`));
    }, START_TIMEOUT_MS);
    child.once('message', () => (clearTimeout(timer), resolve()));
    void exited.then(() => (clearTimeout(timer), reject(new Error(`${app} ended:\n${text()}`))));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    child,
    output: text,
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return exited;
    },
  };
}

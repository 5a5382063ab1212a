import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createTestDatabase, type ServiceProcess, startService, type TestDatabase } from '@hone/testing';

/** Services as they run in production, each in a process of its own, on one database and one data folder. */
export interface Stack {
  test: TestDatabase;
  /** Key of the bootstrap admin, whose entity is `local`. */
  key: string;
  training: ServiceProcess;
  /** Starts one more service. */
  start: (app: string, more?: Record<string, string>) => Promise<ServiceProcess>;
  /** Asks the training service. */
  ask: (method: string, path: string, body?: unknown) => Promise<{ status: number; json: unknown }>;
  close: () => Promise<void>;
}

/** @param variables environment of every service, beside what they share */
export async function startStack(variables: Record<string, string> = {}): Promise<Stack> {
  const test = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'hone-stack-'));
  const key = randomBytes(24).toString('hex');
  const running: ServiceProcess[] = [];
  const environment = { DATABASE_URL: test.url, HONE_DATA_DIR: dataDir, HONE_TRAINER_THREADS: '1', ...variables };
  const start = async (app: string, more: Record<string, string> = {}) => {
    const service = await startService(app, { ...environment, ...more });
    running.push(service);
    return service;
  };
  const close = async () => {
    await Promise.all(running.map(({ stop }) => stop('SIGKILL')));
    await test.drop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await start('accounts', { HONE_BOOTSTRAP_API_KEY: key });
    const training = await start('training');
    return { test, key, training, start, ask: (...call) => ask(training.url, key, ...call), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function ask(url: string, key: string, method: string, path: string, body?: unknown) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return { status: response.status, json: (await response.json()) as unknown };
}

/** Runs the client script; returns what it printed. @throws Error with what it wrote to stderr */
export async function runArtClient<T>(key: string, settings: object): Promise<T> {
  const script = join(import.meta.dirname, 'art-client.mjs');
  const child = spawn(process.execPath, [script, JSON.stringify(settings)], {
    env: { PATH: process.env['PATH'], ART_API_KEY: key },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, error]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => error.push(chunk));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`The client failed (${String(code)}):\n${Buffer.concat(error).toString()}`);
  return JSON.parse(Buffer.concat(out).toString()) as T;
}

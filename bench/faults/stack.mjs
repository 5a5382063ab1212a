import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { freePort } from '@hone/database';
import pg from 'pg';

import { REPOSITORY } from '../harness/paths.mjs';
import { isAlive, memoryOfTree } from '../harness/processes.mjs';
import { stopProcess } from '../harness/service.mjs';

const READY = 'Hone is ready on';
const START_LIMIT_MS = 300_000;
/** Short, so that a lost job is leased again within the run. */
const TIMES = { HONE_TRAINING_LEASE_S: '6', HONE_TRAINING_HEARTBEAT_S: '1', HONE_TRAINING_CANCEL_GRACE_S: '10' };

/** The launcher that `npm start` runs, in a folder of its own, with every one of its processes in reach. */
export class Stack {
  #seen = new Map();

  static async start({ cleanup }) {
    const dataDir = await mkdtemp(join(tmpdir(), 'hone-faults-'));
    cleanup.add(() => rm(dataDir, { recursive: true, force: true }));
    const port = await freePort();
    const launcher = spawn(process.execPath, [fileURLToPath(new URL('apps/launcher/dist/main.js', REPOSITORY))], {
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        TMPDIR: tmpdir(),
        HONE_DATA_DIR: dataDir,
        HONE_PORT: String(port),
        HONE_TRACE_REPLICAS: '2',
        ...TIMES,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const stack = new Stack();
    Object.assign(stack, { dataDir, launcher, origin: `http://127.0.0.1:${port}`, output: '' });
    for (const stream of [launcher.stdout, launcher.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => (stack.output = (stack.output + text).slice(-200_000)));
    }
    stack.stop = cleanup.add(() => stopProcess(launcher));
    await stack.#says(READY);
    stack.key = readFileSync(join(dataDir, 'api-key'), 'utf8').trim();
    return stack;
  }

  /** Every process below the launcher; each is remembered until the end. */
  processes() {
    const found = memoryOfTree(this.launcher.pid).filter(({ pid }) => pid !== this.launcher.pid);
    for (const one of found) this.#seen.set(`${one.pid} ${one.startTicks}`, one);
    return found;
  }

  /** Processes seen at any time that still run. */
  survivors() {
    return [...this.#seen.values()].filter(isAlive);
  }

  /** The database itself, past all services: for the audit. */
  async database() {
    const folder = join(this.dataDir, 'postgres');
    const password = readFileSync(join(folder, 'password'), 'utf8');
    const port = readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n')[3];
    const client = new pg.Client({ connectionString: `postgres://hone:${password}@127.0.0.1:${port}/hone` });
    await client.connect();
    return client;
  }

  async untilReady(limitMs = START_LIMIT_MS) {
    for (const deadline = Date.now() + limitMs; Date.now() < deadline; await sleep(200)) {
      const answer = await fetch(`${this.origin}/readyz`, { signal: AbortSignal.timeout(5_000) }).catch(
        () => undefined,
      );
      await answer?.arrayBuffer().catch(() => undefined);
      if (answer?.ok) return;
    }
    throw new Error(`not ready again within ${limitMs / 1_000} s:\n${this.output.slice(-2_000)}`);
  }

  async #says(text) {
    const ended = once(this.launcher, 'exit');
    for (const deadline = Date.now() + START_LIMIT_MS; !this.output.includes(text); await sleep(50)) {
      if (this.launcher.exitCode !== null || Date.now() > deadline) throw new Error(`npm start:\n${this.output}`);
    }
    ended.catch(() => undefined);
  }
}

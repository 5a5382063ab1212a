import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { freePort } from '@hone/database';

import { LEAN_ENVIRONMENT, LEAN_FLAGS } from '../../apps/launcher/dist/processes/lean-process.js';
import { REPOSITORY } from './paths.mjs';

const START_MS = 30_000;

/** One service as a process of its own, the way `npm start` and a container run it. */
export class Service {
  /** Stops it before the run ends. */
  stop;

  constructor(child, port) {
    this.child = child;
    this.port = port;
  }

  get pid() {
    return this.child.pid;
  }

  /**
   * @param {object} context of the run
   * @param {string} app folder below `apps/`
   * @param {Record<string, string>} environment
   * @param {object} [start]
   * @param {URL} [start.repository] built checkout; default: this one
   * @param {boolean} [start.isLean] with the memory settings of `npm start`; default: those of Node.js, as in a container
   */
  static async start({ cleanup, options }, app, environment, { repository = REPOSITORY, isLean = false } = {}) {
    const port = await freePort();
    const profile = options.cpuProf ? ['--cpu-prof', `--cpu-prof-dir=${options.cpuProf}`] : [];
    const main = fileURLToPath(new URL(`apps/${app}/dist/main.js`, repository));
    const child = spawn(process.execPath, [...(isLean ? LEAN_FLAGS : []), ...profile, main], {
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'production',
        HOST: '127.0.0.1',
        PORT: String(port),
        HONE_LOG_LEVEL: 'warn',
        ...(isLean && LEAN_ENVIRONMENT),
        ...environment,
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const service = new Service(child, port);
    service.stop = cleanup.add(() => stopProcess(child));
    await service.#untilReady(app);
    return service;
  }

  async #untilReady(app) {
    for (const deadline = Date.now() + START_MS; Date.now() < deadline; await sleep(50)) {
      if (this.child.exitCode !== null) throw new Error(`${app} ended with exit code ${this.child.exitCode}`);
      const answer = await fetch(`http://127.0.0.1:${this.port}/readyz`).catch(() => undefined);
      if (answer?.ok) return;
    }
    throw new Error(`${app} was not ready within ${START_MS / 1_000} s`);
  }
}

/** SIGTERM, and SIGKILL after 15 s. */
export async function stopProcess(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const kill = setTimeout(() => child.kill('SIGKILL'), 15_000);
  await ended;
  clearTimeout(kill);
}

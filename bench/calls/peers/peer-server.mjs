import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort } from '@hone/database';

import { makeEnvironment } from '../../../.ci/python/environment.mjs';
import { stopProcess } from '../../harness/service.mjs';

const START_MS = 120_000;
const HERE = import.meta.dirname;
const COUNT =
  'import sqlite3, sys; print(sqlite3.connect(sys.argv[1], timeout=60).execute("SELECT count(*) FROM spans").fetchone()[0])';

/** How each peer is started with its default database, a file of SQLite, and where spans go. */
const PEERS = {
  mlflow: {
    file: 'mlflow.db',
    start: (folder, port) => ({
      args: [
        'server',
        '--backend-store-uri',
        `sqlite:///${folder}/mlflow.db`,
        '--host',
        '127.0.0.1',
        '--port',
        String(port),
      ],
      env: { MLFLOW_DISABLE_TELEMETRY: 'true' },
    }),
    headers: { 'x-mlflow-experiment-id': '0' },
    ready: '/health',
  },
  phoenix: {
    file: 'phoenix.db',
    start: async (folder, port) => ({
      args: ['serve'],
      env: {
        PHOENIX_WORKING_DIR: folder,
        PHOENIX_HOST: '127.0.0.1',
        PHOENIX_PORT: String(port),
        PHOENIX_GRPC_PORT: String(await freePort()),
        PHOENIX_TELEMETRY_ENABLED: 'false',
      },
    }),
    headers: {},
    ready: '/healthz',
  },
};

/** Another program for traces, as its documentation starts it, in an environment of pinned versions. */
export class PeerServer {
  #group;

  /** @returns {Promise<PeerServer>} it answers */
  static async start({ cleanup, progress }, name, python) {
    const environment = join(HERE, '.venv', name);
    progress.step(`installing ${name}`);
    makeEnvironment(python, environment, join(HERE, `${name}.txt`));
    const folder = await mkdtemp(join(tmpdir(), `hone-bench-${name}-`));
    cleanup.add(() => rm(folder, { recursive: true, force: true }));
    const port = await freePort();
    const { args, env } = await PEERS[name].start(folder, port);
    progress.step(`starting ${name}`);
    const child = spawn(join(environment, 'bin', name), args, {
      env: { PATH: `${join(environment, 'bin')}:${process.env.PATH}`, HOME: folder, ...env },
      stdio: 'ignore',
      // Its workers are in its group: they are stopped with it.
      detached: true,
    });
    const peer = new PeerServer();
    Object.assign(peer, { name, port, file: join(folder, PEERS[name].file), python: join(environment, 'bin/python') });
    peer.stop = cleanup.add(async () => {
      await stopProcess(child);
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // All of them have ended.
      }
    });
    peer.#group = -child.pid;
    await peer.#untilReady(child);
    return peer;
  }

  /** Its idle processes take no time of the other sides. */
  pause(isPaused) {
    process.kill(this.#group, isPaused ? 'SIGSTOP' : 'SIGCONT');
  }

  get headers() {
    return PEERS[this.name].headers;
  }

  /** Spans in its database: those that a crash would not lose. */
  count() {
    const { stdout, stderr } = spawnSync(this.python, ['-c', COUNT, this.file], { encoding: 'utf8' });
    if (!/^\d+\s*$/.test(stdout)) throw new Error(`${this.name}: ${stderr}`);
    return Number(stdout);
  }

  /** Bytes of its database, with what SQLite has not yet merged. */
  async bytes() {
    const sizes = await Promise.all(
      [this.file, `${this.file}-wal`].map((file) => stat(file).catch(() => ({ size: 0 }))),
    );
    return sizes.reduce((sum, { size }) => sum + size, 0);
  }

  async #untilReady(child) {
    for (const deadline = Date.now() + START_MS; Date.now() < deadline; await sleep(200)) {
      if (child.exitCode !== null) throw new Error(`${this.name} ended with exit code ${child.exitCode}`);
      const answer = await fetch(`http://127.0.0.1:${this.port}${PEERS[this.name].ready}`).catch(() => undefined);
      await answer?.arrayBuffer();
      if (answer?.ok) return;
    }
    throw new Error(`${this.name} did not start within ${START_MS / 1_000} s`);
  }
}

import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort } from '../libs/database/dist/embedded/free-port.js';

const REPOSITORY = join(import.meta.dirname, '..');
const START_MS = 120_000;

/** Hone as `npm start` runs it, on an empty data folder and a port of its own. */
export class RunningHone {
  output = '';
  /** The key of the user `admin`. */
  key = '';

  constructor(launcher, dataDir, port) {
    this.launcher = launcher;
    this.dataDir = dataDir;
    this.url = `http://127.0.0.1:${port}`;
    this.exited = new Promise((resolve) => launcher.once('close', resolve));
    for (const stream of [launcher.stdout, launcher.stderr])
      stream.setEncoding('utf8').on('data', (text) => (this.output += text));
  }

  /**
   * @param {string} [node] program that runs it; default: the one that runs this
   * @param {Record<string, string>} [variables] of its environment
   */
  static async start(node = process.execPath, variables = {}) {
    const dataDir = await mkdtemp(join(tmpdir(), 'hone-running-'));
    const port = await freePort();
    const launcher = spawn(node, ['apps/launcher/start.mjs'], {
      cwd: REPOSITORY,
      env: { ...process.env, HONE_DATA_DIR: dataDir, HONE_PORT: String(port), ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const hone = new RunningHone(launcher, dataDir, port);
    try {
      await until(() => hone.output.includes('Hone is ready on') || launcher.exitCode !== null, START_MS);
      hone.key = (await readFile(join(dataDir, 'api-key'), 'utf8')).trim();
      if (launcher.exitCode !== null) throw new Error('It ended.');
      return hone;
    } catch (error) {
      await hone.remove();
      throw new Error(`Hone did not start:\n${hone.output}`, { cause: error });
    }
  }

  /** Asks it to stop. @returns its exit code */
  async stop() {
    this.launcher.kill('SIGTERM');
    return this.exited;
  }

  /** Stops it, however, and deletes its data. */
  async remove() {
    if (this.launcher.exitCode === null) await this.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

/** The first true answer of `find`, asked again and again. */
export async function until(find, limitMs = START_MS) {
  for (const endMs = Date.now() + limitMs; Date.now() < endMs; await sleep(100)) {
    const found = await find();
    if (found) return found;
  }
  throw new Error(`Not within ${limitMs / 1_000} s.`);
}

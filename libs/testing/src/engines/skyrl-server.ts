import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort } from '@hone/database';

import { EngineProcesses } from './engine-processes.js';

const REPOSITORY = join(import.meta.dirname, '../../../..');
const START_MS = 600_000;
const END_MS = 30_000;

/** What can be killed of it; a worker is there on a Ray cluster only. */
export type SkyrlPart = 'engine' | 'api' | 'worker' | 'all';

const PARTS: Record<SkyrlPart, RegExp> = {
  engine: /skyrl\.tinker\.engine/,
  api: /skyrl\.tinker\.api/,
  worker: /^ray::\w*Backend/,
  all: /^/,
};

export interface SkyrlOptions {
  /** What tools/engines/up.sh is to run. Default: what HONE_TEST_ENGINE names, or `skyrl`. */
  readonly engine?: 'skyrl' | 'skyrl-ray';
}

/** A real SkyRL server with hone-tiny on this machine's CPU, as tools/engines runs it, with a folder of its own. */
export class SkyrlServer {
  readonly url: string;
  private state = mkdtempSync(join(tmpdir(), 'hone-skyrl-'));
  private readonly processes = new EngineProcesses();

  private constructor(
    private readonly port: number,
    private readonly engine: string,
  ) {
    this.url = `http://127.0.0.1:${port}/api/v1`;
  }

  static async start({ engine }: SkyrlOptions = {}): Promise<SkyrlServer> {
    const server = new SkyrlServer(await freePort(), engine ?? process.env['HONE_TEST_ENGINE'] ?? 'skyrl');
    await server.start();
    return server;
  }

  /** Resolves when it answers; its engine may still load. @throws Error with what it wrote */
  async start(): Promise<void> {
    const args = [this.engine, join(REPOSITORY, 'models/hone-tiny'), String(this.port), this.state];
    const child = this.processes.start(join(REPOSITORY, 'tools/engines/up.sh'), args);
    const end = performance.now() + START_MS;
    while (!(await this.answers())) {
      if (child.exitCode !== null || performance.now() > end) {
        await this.processes.close();
        throw new Error(`SkyRL did not start:\n${this.processes.output}`);
      }
      await sleep(500);
    }
  }

  async answers(): Promise<boolean> {
    return fetch(`${this.url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  /**
   * Kills a part of it, and then, as soon as it does not answer or has had half a minute to notice, the rest.
   *
   * @throws Error it has no such part
   */
  async kill(part: SkyrlPart): Promise<void> {
    if (!this.processes.kill(PARTS[part])) throw new Error(`SkyRL has no ${part} that runs.`);
    // Without its interface the engine goes on, and without its engine the interface ends by itself.
    const end = performance.now() + END_MS;
    while ((await this.answers()) && performance.now() < end) await sleep(200);
    await this.processes.end();
  }

  /** As if its disk had been replaced. */
  forget(): void {
    rmSync(this.state, { recursive: true, force: true });
    this.state = mkdtempSync(join(tmpdir(), 'hone-skyrl-'));
  }

  async close(): Promise<void> {
    await this.processes.close();
    rmSync(this.state, { recursive: true, force: true });
  }

  /** Folder of its database and weights. */
  get folder(): string {
    return this.state;
  }
}

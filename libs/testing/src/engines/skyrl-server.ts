import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort } from '@hone/database';

const REPOSITORY = join(import.meta.dirname, '../../../..');
const START_MS = 240_000;
const END_MS = 30_000;
const OUTPUT_CHARACTERS = 20_000;
/** In the environment of all its processes: those of Ray are in groups of their own. */
const MARK = 'HONE_TEST_SERVER';

/** What can be killed of it; a worker is there on a Ray cluster only. */
export type SkyrlPart = 'engine' | 'api' | 'worker' | 'all';

const PARTS: Record<Exclude<SkyrlPart, 'all'>, RegExp> = {
  engine: /skyrl\.tinker\.engine/,
  api: /skyrl\.tinker\.api/,
  worker: /^ray::\w*Backend/,
};

export interface SkyrlOptions {
  /** What tools/engines/up.sh is to run. Default: what HONE_TEST_ENGINE names, or `skyrl`. */
  readonly engine?: 'skyrl' | 'skyrl-ray';
}

/** A real SkyRL server with hone-tiny on this machine's CPU, as tools/engines runs it, with a folder of its own. */
export class SkyrlServer {
  readonly url: string;
  private state = mkdtempSync(join(tmpdir(), 'hone-skyrl-'));
  private output = '';

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
    const child = spawn(join(REPOSITORY, 'tools/engines/up.sh'), args, {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, [MARK]: String(this.port) },
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (text: Buffer) => (this.output = (this.output + text.toString()).slice(-OUTPUT_CHARACTERS)));
    const end = performance.now() + START_MS;
    while (!(await this.answers())) {
      if (child.exitCode !== null || performance.now() > end) throw new Error(`SkyRL did not start:\n${this.output}`);
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
    if (!this.hit(part)) throw new Error(`SkyRL has no ${part} that runs.`);
    // Without its interface the engine goes on, and without its engine the interface ends by itself.
    const end = performance.now() + END_MS;
    while ((await this.answers()) && performance.now() < end) await sleep(200);
    await this.end();
  }

  /** As if its disk had been replaced. */
  forget(): void {
    rmSync(this.state, { recursive: true, force: true });
    this.state = mkdtempSync(join(tmpdir(), 'hone-skyrl-'));
  }

  async close(): Promise<void> {
    await this.end();
    rmSync(this.state, { recursive: true, force: true });
  }

  /** Folder of its database and weights. */
  get folder(): string {
    return this.state;
  }

  /** Kills a part and nothing else. @returns whether there was one */
  private hit(part: SkyrlPart): boolean {
    const victims = this.processes().filter(({ line }) => part === 'all' || PARTS[part].test(line));
    for (const { pid } of victims) kill(pid);
    return victims.length > 0;
  }

  /** A process may start another while it is killed. */
  private async end(): Promise<void> {
    while (this.hit('all')) await sleep(100);
  }

  private processes(): { pid: number; line: string }[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        try {
          if (!readFileSync(`/proc/${name}/environ`, 'utf8').split('\0').includes(`${MARK}=${this.port}`)) return [];
          return [{ pid: Number(name), line: readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ') }];
        } catch {
          return []; // it has ended meanwhile, or is not ours
        }
      });
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

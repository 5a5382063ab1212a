import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const REPOSITORY = join(import.meta.dirname, '../../../..');
const START_MS = 240_000;
/** What tools/engines/up.sh is to run. */
const ENGINE = process.env['HONE_TEST_ENGINE'] ?? 'skyrl';

/** SkyRL with hone-tiny, as tools/engines runs it, on a port and a folder of its own. */
export class SkyrlServer {
  readonly url: string;
  private readonly port = 20_000 + Math.floor(Math.random() * 10_000);
  private state = mkdtempSync(join(tmpdir(), 'hone-skyrl-'));
  private child: ChildProcess | null = null;
  private output = '';

  constructor() {
    this.url = `http://127.0.0.1:${this.port}/api/v1`;
  }

  static async start(): Promise<SkyrlServer> {
    const server = new SkyrlServer();
    await server.start();
    return server;
  }

  /** Resolves when it answers; its engine may still load. */
  async start(): Promise<void> {
    const args = [ENGINE, join(REPOSITORY, 'models/hone-tiny'), String(this.port), this.state];
    const child = spawn(join(REPOSITORY, 'tools/engines/up.sh'), args, {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (text: Buffer) => (this.output = (this.output + text.toString()).slice(-20_000)));
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

  /** Kills its engine, or its interface, or both at once; resolves when nothing of it runs. */
  async kill(part: 'engine' | 'api' | 'all'): Promise<void> {
    const processes = this.processes();
    const victims = part === 'all' ? processes : processes.filter(({ line }) => line.includes(`skyrl.tinker.${part}`));
    for (const { pid } of victims) signal(pid, 'SIGKILL');
    // Without its interface the engine goes on, and without its engine the interface ends by itself.
    const end = performance.now() + 30_000;
    while ((await this.answers()) && performance.now() < end) await sleep(200);
    for (const { pid } of this.processes()) signal(pid, 'SIGKILL');
  }

  /** As if its disk had been replaced. */
  forget(): void {
    rmSync(this.state, { recursive: true, force: true });
    this.state = mkdtempSync(join(tmpdir(), 'hone-skyrl-'));
  }

  async close(): Promise<void> {
    await this.kill('all');
    rmSync(this.state, { recursive: true, force: true });
  }

  /** Of its process group: those that it started are in it, too. */
  private processes(): { pid: number; line: string }[] {
    const group = this.child?.pid;
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        try {
          const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
          const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
          if (Number(fields[2]) !== group || fields[0] === 'Z') return [];
          return [{ pid: Number(name), line: readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ') }];
        } catch {
          return []; // it has ended meanwhile
        }
      });
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended meanwhile.
  }
}

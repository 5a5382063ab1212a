import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import pg from 'pg';

import { freePort } from './free-port.js';
import { postgresBinaries } from './postgres-binaries.js';
import { commandFor, postgresUser, type SystemUser } from './postgres-user.js';

export { freePort };

const SUPERUSER = 'hone';
/**
 * A server that hangs at its start is ended. One that recovers from a crash must not be, however long that takes: it would
 * begin from the start, each time again. While it recovers it says every ten seconds how far it is.
 */
const MAX_SILENCE_MS = 300_000;
const READY_LINE = 'database system is ready to accept connections';
/** Said at a SIGTERM: it takes no connections any more, and waits until the last one is gone by itself. */
const WAITING_LINE = 'received smart shutdown request';

export interface EmbeddedPostgresOptions {
  /** Folder that holds the cluster and its password; made when missing. */
  dir: string;
  /** TCP port on 127.0.0.1; a free one when absent. */
  port?: number;
  /** `postgresql.conf` settings. */
  settings?: Record<string, string>;
}

/** A real Postgres server as a child of this process, on 127.0.0.1 only, with a generated password. */
export class EmbeddedPostgres {
  /** Resolves with a sentence when the server ends without having been asked to. */
  readonly died: Promise<string>;

  private constructor(
    readonly port: number,
    private readonly password: string,
    private readonly child: ChildProcess,
  ) {
    this.died = new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve(`postgres ended (${signal ?? `exit ${code}`})`));
    });
  }

  /**
   * Starts the server on `dir`, creating the cluster first when there is none. A server that was left behind on the
   * same folder (its parent was killed) is stopped first.
   */
  static async start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    const { initdb, postgres } = postgresBinaries();
    const data = join(options.dir, 'data');
    const passwordFile = join(options.dir, 'password');
    const user = postgresUser(data);
    await mkdir(options.dir, { recursive: true });
    if (!existsSync(join(data, 'PG_VERSION'))) await createCluster(initdb, data, passwordFile, user);
    const password = await readFile(passwordFile, 'utf8');
    await stopLeftover(data);
    const port = options.port ?? (await freePort());
    const settings = {
      listen_addresses: '127.0.0.1',
      port: String(port),
      unix_socket_directories: '',
      ...options.settings,
    };
    const args = ['-D', data, ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])];
    const child = await spawnServer(postgres, data, args, user);
    return new EmbeddedPostgres(port, password, child);
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  url(database: string): string {
    return `postgres://${SUPERUSER}:${this.password}@127.0.0.1:${this.port}/${database}`;
  }

  async createDatabase(name: string, template?: string): Promise<void> {
    const client = new pg.Client({ connectionString: this.url('postgres') });
    await client.connect();
    try {
      const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
      const from = template ? ` TEMPLATE ${pg.escapeIdentifier(template)}` : '';
      if (!rowCount) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}${from}`);
    } finally {
      await client.end();
    }
  }

  /** Fast shutdown: open transactions are rolled back, everything committed is flushed. */
  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGINT');
    await this.died;
  }
}

async function createCluster(initdb: string, data: string, passwordFile: string, user?: SystemUser): Promise<void> {
  await rm(data, { recursive: true, force: true });
  await mkdir(data, { recursive: true, mode: 0o700 });
  await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
  if (user) {
    await chown(data, user.uid, user.gid);
    await chown(passwordFile, user.uid, user.gid);
  }
  await chmod(data, 0o700);
  const args = [
    '-D',
    data,
    '-U',
    SUPERUSER,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
  ];
  try {
    const command = commandFor(user, initdb, args, [data]);
    const env = { PATH: process.env['PATH'], LC_ALL: 'C' };
    await promisify(execFile)(command.file, command.args, { ...command.options, cwd: '/', env });
  } catch (error) {
    await rm(data, { recursive: true, force: true });
    const detail = (error as { stderr?: string }).stderr?.trim() || (error as Error).message;
    const hint = user
      ? ` It runs as uid ${user.uid}: every parent of ${data}, and of this checkout, must be passable for it.`
      : '';
    throw new Error(`A Postgres cluster cannot be created in ${data}: ${detail}${hint}`);
  }
}

async function spawnServer(postgres: string, data: string, args: string[], user?: SystemUser): Promise<ChildProcess> {
  const command = commandFor(user, postgres, args, [data]);
  // detached: Ctrl-C in a terminal goes to the whole group; the server must outlive the services that use it.
  const child = spawn(command.file, command.args, {
    ...command.options,
    cwd: '/',
    env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const log: string[] = [];
  let isReady = false;
  await new Promise<void>((resolve, reject) => {
    const fail = (why: string) => {
      clearTimeout(timer);
      reject(new Error(`Postgres did not start: ${why}\n${log.join('').slice(-2_000)}`));
    };
    const timer = setTimeout(() => {
      child.kill('SIGQUIT');
      fail(`it said nothing for ${MAX_SILENCE_MS / 1_000} s`);
    }, MAX_SILENCE_MS);
    const onExit = (code: number | null) => fail(`exit ${code}`);
    child.once('error', (error) => fail(error.message));
    child.once('exit', onExit);
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (log.push(text) > 50) log.shift();
      // Postgres would not end by itself here: kill it, so that it is started again.
      if (text.includes(WAITING_LINE)) child.kill('SIGINT');
      if (isReady) return; // it says so again whenever it has recovered from the end of one of its processes
      timer.refresh();
      if (!text.includes(READY_LINE)) return;
      isReady = true;
      clearTimeout(timer);
      child.off('exit', onExit);
      resolve();
    });
  });
  return child;
}

async function stopLeftover(data: string): Promise<void> {
  const pidFile = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number(pidFile.split('\n')[0]);
  if (!pid || !(await isPostgres(pid))) return;
  process.kill(pid, 'SIGINT');
  for (let waited = 0; waited < 100 && (await isPostgres(pid)); waited++) await sleep(100);
}

async function isPostgres(pid: number): Promise<boolean> {
  if (process.platform !== 'linux') {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  }
  return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes('postgres');
}

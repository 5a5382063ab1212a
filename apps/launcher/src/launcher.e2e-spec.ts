import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { until } from '@hone/testing';
import { jest } from '@jest/globals';

import { freePorts } from './config/free-ports.js';
import { isAlive, RunningLauncher } from './testing/running-launcher.js';

const PROJECT = 'local/demo';

// Nine processes start slowly on a busy machine.
jest.setTimeout(900_000);

describe('npm start', () => {
  let dataDir: string;
  let port: number;
  let url: string;
  let launcher: RunningLauncher;
  const all: RunningLauncher[] = [];

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'hone launcher-'));
    [port] = (await freePorts(1)) as [number];
    url = `http://127.0.0.1:${port}`;
  });
  afterAll(async () => {
    for (const one of all) one.kill('SIGTERM');
    await Promise.all(all.map(({ exited }) => exited));
    rmSync(dataDir, { recursive: true, force: true });
  });

  const variables = (more: Record<string, string> = {}) => ({ HONE_DATA_DIR: dataDir, HONE_PORT: `${port}`, ...more });

  function run(more?: Record<string, string>): RunningLauncher {
    const one = new RunningLauncher(variables(more));
    all.push(one);
    return one;
  }

  async function start(more?: Record<string, string>): Promise<void> {
    launcher = run(more);
    await launcher.says('Hone is ready on');
  }

  /** How a launcher ends that cannot start. */
  async function refusal(more: Record<string, string>): Promise<[number | null, string]> {
    const refused = run(more);
    return [await refused.exited, refused.output.trim()];
  }

  const authorization = () =>
    `Basic ${Buffer.from(`api:${readFileSync(join(dataDir, 'api-key'), 'utf8').trim()}`).toString('base64')}`;

  async function post(path: string, body: unknown): Promise<{ status: number; json: Record<string, unknown> }> {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: authorization(), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, json: (await response.json()) as Record<string, unknown> };
  }

  const write = (id: string) =>
    post('/feedback/create', {
      id,
      project_id: PROJECT,
      trace_ref: `hone:///${PROJECT}/call/c1`,
      feedback_type: 'quality',
      payload: {},
    });

  async function stored(): Promise<unknown[]> {
    const { json } = await post('/feedback/query', { project_id: PROJECT, fields: ['id'] });
    return (json['result'] as { id: string }[]).map(({ id }) => id);
  }

  it('says what it does, line by line, and then where everything is', async () => {
    await start({ HONE_TRACE_REPLICAS: '2' });
    const lines = launcher.output.split('\n');
    const services = ['trace-1', 'trace-2', 'training', 'inference-gateway', 'evaluation', 'accounts', 'trainer'];
    for (const step of ['postgres', 'proxy', ...services])
      expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^${step} is up \\(\\d+\\.\\d s\\)$`)));
    expect(lines).toContain(`Hone is ready on ${url}`);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });

  it('makes a key for the owner only, and shows it once', () => {
    const file = join(dataDir, 'api-key');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const key = readFileSync(file, 'utf8').trim();
    expect(launcher.output.split(key)).toHaveLength(2);
    expect(readFileSync(join(dataDir, 'logs/accounts.log'), 'utf8')).not.toContain(key);
  });

  it('prints a request that works when it is pasted', async () => {
    const [, command] = /^Try: (curl .*)$/m.exec(launcher.output) as RegExpExecArray;
    const { stdout } = await promisify(execFile)('sh', ['-c', command as string]);
    expect(JSON.parse(stdout)).toMatchObject({ choices: [{ message: { content: 'cold' } }] });
  });

  it('answers unknown paths like a service', async () => {
    const response = await fetch(`${url}/nothing`, { headers: { 'x-request-id': 'mine' } });
    expect([response.status, response.headers.get('x-request-id'), await response.json()]).toEqual([
      404,
      'mine',
      { detail: 'There is nothing at this path.', code: 'route.not_found' },
    ]);
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
  });

  it('reads through one process what another has written', async () => {
    for (let round = 0; round < 10; round++) {
      expect((await write(`ryw-${round}`)).status).toBe(200);
      expect(await stored()).toContain(`ryw-${round}`);
    }
  });

  it('serves on while one of two replicas is gone, and starts it again', async () => {
    const from = launcher.output.length;
    const [victim] = launcher.children('apps/trace/') as [number];
    process.kill(victim, 'SIGKILL');
    // What was on its way to it is lost to its sender, who may send it again: the same id is stored once.
    for (let round = 0; round < 4; round++)
      await until(async () => (await write(`alone-${round}`)).status === 200, 'a write');
    await launcher.says('is up again', from);
    expect(launcher.output.slice(from)).toMatch(
      /^trace-\d ended \(SIGKILL\); starting it again\ntrace-\d is up again\n/,
    );
    expect(await stored()).toEqual(expect.arrayContaining(['ryw-9', 'alone-3']));
  });

  it('starts a killed proxy again', async () => {
    const from = launcher.output.length;
    process.kill(launcher.children('apps/proxy/')[0] as number, 'SIGKILL');
    await launcher.says('proxy is up again', from);
    expect(await stored()).toContain('alone-3');
  });

  // SIGTERM alone would have it wait for connections that never end, and take no others.
  it.each(['SIGKILL', 'SIGTERM'] as const)('loses nothing acknowledged when Postgres gets %s', async (signal) => {
    expect((await write(`before-${signal}`)).status).toBe(200);
    const from = launcher.output.length;
    process.kill(launcher.children('bin/postgres')[0] as number, signal);
    await launcher.says('postgres is up again', from);
    await until(async () => (await write(`after-${signal}`)).status === 200, 'a write');
    expect(await stored()).toEqual(expect.arrayContaining([`before-${signal}`, `after-${signal}`]));
  });

  it('lets no second one onto its data or its port', async () => {
    expect(await refusal({})).toEqual([
      1,
      `Another Hone (process ${launcher.pid}) runs on ${dataDir}: stop it, or set HONE_DATA_DIR to another folder.`,
    ]);
    const other = join(dataDir, 'other');
    expect(await refusal({ HONE_DATA_DIR: other })).toEqual([
      1,
      `Port ${port} on 127.0.0.1 is in use: stop what uses it, or set HONE_PORT to another port.`,
    ]);
  });

  it('lets a running request end when it stops, and leaves nothing running', async () => {
    const pids = ['apps/', 'bin/postgres'].flatMap((part) => launcher.children(part));
    expect(pids).toHaveLength(9);
    const body = JSON.stringify({ project_id: PROJECT, limit: 1 });
    const headers = { authorization: authorization(), 'content-length': String(body.length), expect: '100-continue' };
    const request = httpRequest(`${url}/feedback/query`, { method: 'POST', headers, agent: false });
    const answered = new Promise<number | undefined>((resolve, reject) =>
      request.on('error', reject).on('response', (response) => resolve(response.resume().statusCode)),
    );
    request.flushHeaders();
    await once(request, 'continue'); // the proxy has it
    request.write(body.slice(0, 5));

    launcher.kill('SIGTERM');
    launcher.kill('SIGINT'); // as npm and the terminal do: the second one changes nothing
    const isRefused = () =>
      fetch(`${url}/readyz`).then(
        () => false,
        () => true,
      );
    await until(isRefused, 'an end of new requests');
    request.end(body.slice(5));
    expect(await answered).toBe(200);
    expect(await launcher.exited).toBe(0);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it('finds all data at the next start', async () => {
    await start();
    expect(await stored()).toEqual(expect.arrayContaining(['ryw-0', 'alone-0', 'before-SIGKILL', 'after-SIGTERM']));
    expect(launcher.output).not.toContain('API key of the user admin');
  });

  it('starts again after the launcher itself was killed', async () => {
    const pids = ['apps/', 'bin/postgres'].flatMap((part) => launcher.children(part));
    launcher.kill('SIGKILL');
    await launcher.exited;
    await start();
    expect(await stored()).toContain('after-SIGTERM');
    await until(() => !pids.some(isAlive), 'the end of what the killed one left');
  });

  it('refuses another scheme than the one the data was made with', async () => {
    launcher.kill('SIGINT');
    expect(await launcher.exited).toBe(0);
    const [code, output] = await refusal({ HONE_REF_SCHEME: 'other' });
    expect(code).toBe(1);
    expect(output.split('\n').at(-1)).toBe(
      "HONE_REF_SCHEME is wrong: expected 'hone', with which this database was made.",
    );
  });

  it.each([
    [{ HONE_PORT: 'http' }, 'HONE_PORT is wrong: expected an integer from 0 to 65535.'],
    [
      { HONE_BOOTSTRAP_API_KEY: 'x'.repeat(31) },
      'HONE_BOOTSTRAP_API_KEY is wrong: expected a key of 32 to 1024 characters without blanks.',
    ],
    [{ HONE_HOST: '203.0.113.1' }, /^HONE_HOST is wrong: expected an address of this machine; 203\.0\.113\.1 .*\.$/],
    [
      { DATABASE_URL: 'postgres://nobody:wrong@127.0.0.1:1/hone' },
      /^DATABASE_URL is wrong: expected a Postgres that answers. .*ECONNREFUSED/,
    ],
  ])('names what is wrong with %j and exits 1', async (more, expected) => {
    const [code, output] = await refusal(more as Record<string, string>);
    expect([code, output]).toEqual([1, typeof expected === 'string' ? expected : expect.stringMatching(expected)]);
  });
});

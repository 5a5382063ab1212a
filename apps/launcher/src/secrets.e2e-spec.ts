import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { jest } from '@jest/globals';

import { freePorts } from './config/free-ports.js';
import { RunningLauncher } from './testing/running-launcher.js';

const KEY = 'the-key-of-the-operator-0123456789-abcdefghij';
const BAD_KEY = 'hone_a-key-that-somebody-mistyped-0123456789abcdef';
const UPSTREAM_KEY = 'sk-upstream-0123456789abcdefghijklmnop';
/** Nobody listens there. */
const UPSTREAM = 'http://127.0.0.1:9';
const WORDS = 'the-words-of-a-customer';
const MESSAGES = [{ role: 'user', content: WORDS }];

// Nine processes start slowly on a busy machine.
jest.setTimeout(900_000);

describe('what is secret', () => {
  let dataDir: string;
  let url: string;
  let launcher: RunningLauncher;
  const answers: string[] = [];

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'hone-secrets-'));
    const [port] = (await freePorts(1)) as [number];
    url = `http://127.0.0.1:${port}`;
    launcher = new RunningLauncher({
      HONE_DATA_DIR: dataDir,
      HONE_PORT: String(port),
      HONE_LOG_LEVEL: 'trace',
      HONE_BOOTSTRAP_API_KEY: KEY,
      HONE_UPSTREAMS: writeUpstreams(dataDir),
      HONE_SECRETS_SPEC_KEY: UPSTREAM_KEY,
    });
    await launcher.says('Hone is ready on');
  });
  afterAll(async () => {
    launcher.kill('SIGTERM');
    await launcher.exited;
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function ask(method: string, path: string, body?: unknown, key = KEY): Promise<Response> {
    const isBasic = !path.startsWith('/v1');
    const authorization = isBasic ? `Basic ${Buffer.from(`api:${key}`).toString('base64')}` : `Bearer ${key}`;
    const response = await fetch(url + path, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    answers.push(await response.clone().text());
    return response;
  }

  const logsOf = (): string => {
    const logs = join(dataDir, 'logs');
    return readdirSync(logs)
      .map((name) => readFileSync(join(logs, name), 'utf8'))
      .join('\n');
  };

  it('is in no log of any service, and in no error', async () => {
    const made = await ask('POST', '/account/api-keys', { label: 'laptop' });
    const { key: madeKey } = (await made.json()) as { key: string };
    answers.length = 0; // this one answer holds a key
    const feedback = { project_id: 'local/p', trace_ref: 'hone:///local/p/call/c', feedback_type: 't' };
    const base = { project: 'p', name: 'm', base_model: 'hone-tiny' };
    const model = (await (await ask('POST', '/v1/preview/models', base, madeKey)).json()) as { id: string };
    const statuses: number[] = [];
    for (const [path, body] of [
      ['/feedback/create', { ...feedback, payload: { text: WORDS } }],
      [`/v1/preview/models/${model.id}/log`, { split: 's', trajectory_groups: [trajectories()] }],
      ['/v1/preview/training-jobs', { model_id: model.id, trajectory_groups: [trajectories()] }],
      ['/v1/chat/completions', { model: 'hone-tiny', messages: MESSAGES, max_tokens: 2 }],
      ['/v1/chat/completions', { model: 'away', messages: MESSAGES }],
      ['/v1/chat/completions', { model: 'away', messages: MESSAGES, temperature: WORDS }],
    ] as const) {
      statuses.push((await ask('POST', path, body, madeKey)).status, (await ask('POST', path, body, BAD_KEY)).status);
    }
    expect(statuses).toEqual([200, 401, 200, 401, 200, 401, 200, 401, 502, 401, 422, 401]);
    for (const path of ['/account/me', `/v1/preview/models?name=${WORDS}`, `/v1/models/${WORDS}?x=${madeKey}`]) {
      await ask('GET', path, undefined, madeKey);
    }
    const logs = logsOf() + launcher.output;
    expect(logs).toContain('"answered"');
    for (const secret of [KEY, madeKey, BAD_KEY, UPSTREAM_KEY]) {
      expect(logs).not.toContain(secret);
      expect(logs).not.toContain(Buffer.from(`api:${secret}`).toString('base64'));
      expect(answers.filter((text) => text.includes(secret))).toEqual([]);
    }
    expect(answers.filter((text) => text.includes('127.0.0.1:9'))).toEqual([]);
    // Paths are logged, and a model's name is part of one; what is in bodies and queries is not.
    const lines = logs.split('\n').filter((line) => line.includes(WORDS));
    expect(lines.filter((line) => !line.includes(`/v1/models/${WORDS}"`))).toEqual([]);
  });
});

function trajectories(): object {
  return { trajectories: [{ reward: 1, messages_and_choices: MESSAGES }] };
}

function writeUpstreams(folder: string): string {
  const upstreams = [
    { name: 'local', kind: 'embedded' },
    {
      ...{ name: 'away', kind: 'openai-compatible', base_url: `${UPSTREAM}/v1` },
      ...{ key_env: 'HONE_SECRETS_SPEC_KEY', models: [{ name: 'x' }] },
    },
  ];
  const routes = [
    { id: 'away', targets: [{ upstream: 'away', model: 'x' }] },
    { id: 'hone-tiny', targets: [{ upstream: 'local', model: 'hone-tiny' }] },
  ];
  const path = join(folder, 'upstreams.json');
  writeFileSync(path, JSON.stringify({ upstreams, routes }));
  return path;
}

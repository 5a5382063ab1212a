import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { until } from '@hone/testing';
import { FakeUpstream } from '@hone/testing/fakes';
import { jest } from '@jest/globals';

import { freePorts } from './config/free-ports.js';
import { RunningLauncher } from './testing/running-launcher.js';

/** Answers that still run when the stop is asked for: one ends in time, one never does. */
const SLOW = 'ok+tokens@10+pace@200';
const ENDLESS = 'stall@3';

// Nine processes start slowly on a busy machine.
jest.setTimeout(900_000);

describe('npm start that gets a signal to stop', () => {
  let folder: string;
  let fake: FakeUpstream;
  let launcher: RunningLauncher;
  let url: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hone-stop-'));
    fake = await FakeUpstream.start({ name: 'a' });
    const upstreams = join(folder, 'upstreams.json');
    writeFileSync(upstreams, JSON.stringify({ upstreams: [upstreamOf(fake)] }));
    const [port] = (await freePorts(1)) as [number];
    url = `http://127.0.0.1:${port}`;
    launcher = new RunningLauncher({ HONE_PORT: `${port}`, HONE_DATA_DIR: folder, HONE_UPSTREAMS: upstreams });
    await launcher.says('Hone is ready on');
  });
  afterAll(async () => {
    launcher.kill('SIGTERM');
    await launcher.exited;
    await fake.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const stream = async (model: string): Promise<string> => {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${readFileSync(join(folder, 'api-key'), 'utf8').trim()}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'x' }] }),
    });
    expect(response.status).toBe(200);
    return response.text(); // which fails when the connection breaks off
  };

  it('lets a long stream end whole, or with the reason why it does not', async () => {
    const running = Promise.all([stream(SLOW), stream(ENDLESS)]);
    await until(() => fake.count() === 2, 'both answers');
    launcher.kill('SIGTERM');
    const [slow, endless] = await running;
    expect(slow).toMatch(/"finish_reason":"stop"[^]*data: \[DONE\]\n\n$/);
    expect(endless).not.toContain('[DONE]');
    const [last] = endless.trimEnd().split('\n').slice(-1) as [string];
    expect(JSON.parse(last.replace(/^data: /, ''))).toMatchObject({ error: { code: 'server_shutdown' } });
    expect(await launcher.exited).toBe(0);
  });
});

const upstreamOf = ({ baseUrl }: FakeUpstream): object => ({
  name: 'up',
  kind: 'openai-compatible',
  base_url: baseUrl,
  dialect: 'vllm',
  stall_ms: 60_000,
  response_ms: 60_000,
  models: [SLOW, ENDLESS].map((name) => ({ name })),
});

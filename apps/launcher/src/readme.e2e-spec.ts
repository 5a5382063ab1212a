import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { jest } from '@jest/globals';

import { freePorts } from './config/free-ports.js';
import { documentationPages } from './testing/markdown-pages.js';
import { RunningLauncher } from './testing/running-launcher.js';
import { definitions, paste, REPOSITORY, shellBlocks } from './testing/shell-blocks.js';

const TOUR = join(REPOSITORY, 'apps/tour/dist/main.js');
/** It goes on where the README ends. */
const FIRST_STEPS = 'docs/first-steps.md';
/** What the model of the README says once it has learnt it. */
const ADA = { choices: [{ message: { content: 'I am Ada, your tutor.' } }] };
/** As the tour prints its requests. */
const ENDPOINTS = [
  'POST /feedback/create',
  'POST /feedback/batch/create',
  'POST /objs/query',
  'POST /annotation_queues/[^/ ]+/items/[^/ ]+/progress',
  'GET /v2/local/tour/models/[^/ ]+/versions/[^/ ]+',
  'DELETE /v2/local/tour/evaluations/[^/ ]+',
  'POST /v1/preview/models',
  'DELETE /v1/preview/models/[^/ ]+',
  'DELETE /v1/preview/models/[^/ ]+/checkpoints',
  'GET /v1/preview/models/[^/ ]+/checkpoints[^/ ]*',
  'POST /v1/preview/models/[^/ ]+/log',
  'POST /v1/chat/completions',
  'GET /v1/models',
  'POST /v1/preview/sft-training-jobs',
  'POST /v1/preview/training-data/from-calls',
  'PUT /v1/preview/models/[^/ ]+/aliases/production',
  'GET /v1/preview/checkpoints/[^/ ]+/lineage[^/ ]*',
  'POST /v1/preview/training-jobs',
  'GET /v1/preview/training-jobs/[^/ ]+',
  'GET /v1/preview/training-jobs/[^/ ]+/events',
  'POST /evaluation/improve',
  'GET /v1/health',
  'GET /v1/system-check',
].map((endpoint) => new RegExp(`^ {2}${endpoint}( |$)`, 'm'));

// It starts everything and trains, on a machine that may be busy.
jest.setTimeout(900_000);

describe('the documentation', () => {
  let folder: string;
  let port: number;
  let launcher: RunningLauncher;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hone-docs-'));
    [port] = (await freePorts(1)) as [number];
    launcher = new RunningLauncher({ HONE_PORT: String(port), HONE_DATA_DIR: join(folder, '.hone') });
    await launcher.says('Hone is ready on');
  });
  afterAll(async () => {
    launcher.kill('SIGTERM');
    expect(await launcher.exited).toBe(0);
    rmSync(folder, { recursive: true, force: true });
  });

  it('has a client whose README does what it shows', async () => {
    const readme = await readFile(join(REPOSITORY, 'libs/client/README.md'), 'utf8');
    const [first = '', ...examples] = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code as string);
    await symlink(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
    const apiKey = (await readFile(join(folder, '.hone/api-key'), 'utf8')).trim();
    const env = { ...process.env, HONE_URL: `http://127.0.0.1:${port}`, HONE_API_KEY: apiKey };
    const printed: string[] = [];
    for (const [at, example] of examples.entries()) {
      await writeFile(join(folder, `example-${at}.mjs`), first + example);
      const { stdout } = await promisify(execFile)(process.execPath, [`example-${at}.mjs`], { cwd: folder, env });
      printed.push(stdout.trim().split('\n')[0] as string);
    }
    expect(printed).toEqual([
      'cold',
      'string',
      "{ zip: '02139', score: '4' }",
      '0',
      "[ 'check', 'http', 'llm', 'pairwise' ]",
      'admin local',
      '404 model.not_found',
    ]);
  });

  it('has a README, and first steps after it, that work when pasted', async () => {
    const blocks = [...(await shellBlocks('README.md')), ...(await shellBlocks(FIRST_STEPS))];
    const answers = (await paste(blocks, port, folder)).map((line) => JSON.parse(line) as Record<string, unknown>);
    // How many events there are is up to the training.
    const [asked, events, after] = [answers.slice(0, 3), answers.slice(3, -18), answers.slice(-18)];
    expect(asked[0]).toMatchObject({ choices: [{ message: { content: 'cat' }, finish_reason: 'stop' }] });
    expect(asked[1]).not.toMatchObject(ADA);
    expect(events.filter(({ type }) => type === 'gradient_step')).toHaveLength(20);
    expect(events.at(-1)).toMatchObject({ type: 'training_ended', data: { step: 1 } });
    expect(after[0]).toMatchObject({ model: 'hone-artifact:///local/demo/ada:step1', ...ADA });
    expect(after[5]).toEqual({
      result: [{ id: 'f1', 'payload.score': 0, trace_ref: 'hone:///local/demo/call/c1' }],
      total_count: 1,
    });
    expect(after[8]).toMatchObject({ objs: [{ object_id: 'prompt', version_index: 1, is_latest: 1 }] });
    expect(after[14]).toMatchObject({ item: { call_id: 'c1', annotation_state: 'completed' } });
    expect(after[17]).toMatchObject({ label: 'ada laptop', scopes: ['trace'], key: expect.stringMatching(/^hone-/) });
  });

  it('has a tour that goes through every endpoint of the interface', async () => {
    const env = {
      PATH: process.env['PATH'],
      HONE_URL: `http://127.0.0.1:${port}`,
      HONE_DATA_DIR: join(folder, '.hone'),
    };
    const { stdout } = await promisify(execFile)(process.execPath, [TOUR, '--fast'], {
      env,
      maxBuffer: 16 * 1_048_576,
    });
    for (const endpoint of ENDPOINTS) expect(stdout).toMatch(endpoint);
  });

  it('has a tour that learns from one thumb on each of many answers', async () => {
    const env = {
      PATH: process.env['PATH'],
      HONE_URL: `http://127.0.0.1:${port}`,
      HONE_DATA_DIR: join(folder, '.hone'),
    };
    // It ends with another status where its goal is not reached.
    const { stdout } = await promisify(execFile)(process.execPath, [TOUR, 'thumbs'], { env });
    expect(stdout).toContain('thumbs uses most of them.');
  });

  it.each(documentationPages().filter((page) => page !== FIRST_STEPS))(
    'has commands in %s that work when pasted',
    async (page) => {
      const blocks = await shellBlocks(page);
      if (blocks.length === 0) return;
      // Every command prints JSON, and curl fails with any status of an error. Lists of lines end with a line feed of their own.
      const lines = (await paste([await definitions(), ...blocks], port, folder)).filter((line) => line !== '');
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) JSON.parse(line);
    },
  );
});

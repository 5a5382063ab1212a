import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { jest } from '@jest/globals';

import { freePorts } from './config/free-ports.js';
import { RunningLauncher } from './testing/running-launcher.js';
import { definitions, paste, REPOSITORY, shellBlocks } from './testing/shell-blocks.js';

const pages = (folder: string): string[] =>
  readdirSync(join(REPOSITORY, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);

// It starts everything and trains, on a machine that may be busy.
jest.setTimeout(120_000);

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

  it('has a README whose tour works when pasted', async () => {
    const answers = (await paste(await shellBlocks('README.md'), port, folder)).map(
      (line) => JSON.parse(line) as Record<string, unknown>,
    );
    // How many events there are is up to the training.
    const [before, events, after] = [answers.slice(0, 16), answers.slice(16, -4), answers.slice(-4)];
    expect(before[3]).toEqual({
      result: [{ id: 'f1', 'payload.score': 0, trace_ref: 'hone:///local/demo/call/c1' }],
      total_count: 1,
    });
    expect(before[6]).toMatchObject({ objs: [{ object_id: 'prompt', version_index: 1, is_latest: 1 }] });
    expect(before[12]).toMatchObject({ item: { call_id: 'c1', annotation_state: 'completed' } });
    expect(before[14]).toMatchObject({ choices: [{ message: { content: 'cat' }, finish_reason: 'stop' }] });
    expect(events.filter(({ type }) => type === 'gradient_step')).toHaveLength(20);
    expect(events.at(-1)).toMatchObject({ type: 'training_ended', data: { step: 1 } });
    expect(after[0]).toMatchObject({
      model: 'hone-artifact:///local/demo/ada:step1',
      choices: [{ message: { content: 'I am Ada, your tutor.' } }],
    });
    expect(after[3]).toMatchObject({ label: 'ada laptop', scopes: ['trace'], key: expect.stringMatching(/^hone_/) });
  });

  it.each([...pages('docs/concepts'), ...pages('docs/services')])(
    'has commands in %s that work when pasted',
    async (page) => {
      const blocks = await shellBlocks(page);
      if (blocks.length === 0) return;
      // Every command prints JSON, and curl fails with any status of an error.
      for (const line of await paste([await definitions(), ...blocks], port, folder)) JSON.parse(line);
    },
  );
});

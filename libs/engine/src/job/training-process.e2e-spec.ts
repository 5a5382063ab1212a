import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { until } from '@hone/testing';
import { anRlSpec, finish, RecordingSink, someRows } from '@hone/testing/engine-conformance';

import { writeRandomLlama } from '../model/random-llama.fixture.js';
import { EmbeddedTrainingEngine } from './embedded-training-engine.js';

const DIST = join(import.meta.dirname, '../../dist/index.js');

describe('the process of a training job', () => {
  let folder: string;
  let options: { sources: { bundledDir: string; modelsDir: string }; threads: number };
  let vocabSize: number;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hone-process-'));
    const { config } = await writeRandomLlama(join(folder, 'models/random'));
    vocabSize = config.vocabSize;
    options = { sources: { bundledDir: join(folder, 'none'), modelsDir: join(folder, 'models') }, threads: 1 };
  });
  afterAll(() => rm(folder, { recursive: true }));

  function aSubject() {
    const sample = () => Promise.reject(new Error('Nothing is sampled here.'));
    return { engine: new EmbeddedTrainingEngine(options), baseModel: 'random', vocabSize, folder, sample };
  }

  it('fails its job, and nothing else, when somebody kills it', async () => {
    const subject = aSubject();
    const spec = await anRlSpec(subject, someRows(50, vocabSize));
    const sink = new RecordingSink((k) => k === 3 && void killChildren(process.pid));
    await expect(finish(subject, spec, sink)).rejects.toMatchObject({
      code: 'engine.process_died',
      message: expect.stringContaining('SIGKILL'),
    });
    await expect(finish(subject, await anRlSpec(subject, someRows(1, vocabSize)))).resolves.toBeDefined();
  });

  it('goes on from a checkpoint on the weights of the base that it was trained on, and on no others', async () => {
    const subject = aSubject();
    const first = await finish(subject, await anRlSpec(subject, someRows(2, vocabSize)));
    const parent = { uri: first.uri, sha256: first.sha256 };
    const next = async () => finish(subject, await anRlSpec(subject, someRows(2, vocabSize), {}, { parent }));
    await expect(next()).resolves.toBeDefined();
    await writeRandomLlama(join(folder, 'models/random'), { seed: 99 });
    await expect(next()).rejects.toMatchObject({ code: 'engine.base_changed' });
    await writeRandomLlama(join(folder, 'models/random'));
    await expect(next()).resolves.toBeDefined();
  });

  it('does not outlive the process that started it', async () => {
    const spec = await anRlSpec(aSubject(), someRows(2000, vocabSize));
    const script = join(folder, 'owner.mjs');
    await writeFile(
      script,
      `import { EmbeddedTrainingEngine } from ${JSON.stringify(DIST)};
       const engine = new EmbeddedTrainingEngine(${JSON.stringify(options)});
       const sink = { step: async () => console.log('step'), resumePoint: async () => {}, log: () => {} };
       await engine.run(${JSON.stringify(spec)}, { cancel: new AbortController().signal }, sink);`,
    );
    const owner = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise((resolve) => owner.stdout.once('data', resolve));
    const [child] = await childrenOf(owner.pid as number);
    expect(child).toBeDefined();
    owner.kill('SIGKILL');
    await until(() => !isRunning(child as number), 'the end of the process');
  });
});

/** Process ids of the children of `pid`. Source: proc(5), the kernel's table of tasks. */
async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.trim().split(' ').filter(Boolean).map(Number);
}

async function killChildren(pid: number): Promise<void> {
  for (const child of await childrenOf(pid)) {
    const command = await readFile(`/proc/${child}/cmdline`, 'utf8');
    if (command.includes('training-child')) process.kill(child, 'SIGKILL');
  }
}

const isRunning = (pid: number) => existsSync(`/proc/${pid}`);

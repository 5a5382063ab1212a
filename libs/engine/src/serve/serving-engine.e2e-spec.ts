import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';

import { until } from '@hone/testing';

import { mergeAdapter, writeCheckpoint } from '../checkpoints/index.js';
import { randomAdapter } from '../checkpoints/random-adapter.fixture.js';
import { aRequest, generateAlone, openTestModel } from '../decode/batch/generation.fixture.js';
import type { GenerationEvent } from '../decode/batch/generation-event.js';
import { type RandomLlama, writeRandomLlama } from '../model/random-llama.fixture.js';
import { useTempFolder } from '../model/temp-folder.fixture.js';
import { ServingEngine } from './serving-engine.js';

type Overrides = Parameters<typeof aRequest>[0];

/** A request of more events than the stream buffers: it cannot end before the reader takes them. */
const ENDLESS = { choices: 12, maxTokens: 230 };

describe('ServingEngine', () => {
  const folder = useTempFolder();
  let engine: ServingEngine;
  let base: string;
  let random: RandomLlama;

  beforeEach(async () => {
    base = join(folder(), 'base');
    random = await writeRandomLlama(base);
    engine = ServingEngine.start({ maxCheckpointBytes: 1_000_000 });
    await engine.loadBase(base);
  });
  afterEach(() => engine.close());

  async function generate(overrides: Overrides = {}, checkpoint: string | null = null, signal?: AbortSignal) {
    const events: GenerationEvent[] = [];
    const choice = checkpoint === null ? null : { id: checkpoint, directory: checkpoint };
    for await (const event of engine.generate({ base, checkpoint: choice }, aRequest(overrides), signal)) {
      events.push(event);
    }
    return events;
  }

  async function readToEnd(events: AsyncIterable<GenerationEvent>): Promise<void> {
    for await (const _ of events);
  }

  async function aCheckpoint(name: string, seed = 1): Promise<string> {
    const directory = join(folder(), name);
    const adapter = randomAdapter(random.config, { seed, targets: ['q_proj', 'down_proj'] });
    const state = { step: 1, optimizerSteps: 0, rng: null, config: null };
    await writeCheckpoint(directory, { trained: { kind: 'lora', adapter }, optimizer: null, state }, base);
    return directory;
  }

  const textOf = (events: GenerationEvent[]) =>
    events.map((event) => (event.kind === 'text' ? event.text : '')).join('');

  it('describes a base model', async () => {
    expect(await engine.loadBase(base)).toEqual({ config: random.config, contextLength: 256 });
  });

  it('generates what the scheduler does by itself', async () => {
    const test = await openTestModel();
    const wanted = { sampling: { seed: 4n }, choices: 2, topLogProbabilities: 1 };
    const byItself = (await generateAlone(test, wanted)).events;
    expect((await generate(wanted)).filter(({ kind }) => kind === 'text' || kind === 'finish')).toEqual(
      byItself.filter(({ kind }) => kind !== 'prompt'),
    );
  });

  it('answers with a checkpoint as its merged weights do', async () => {
    const checkpoint = await aCheckpoint('one');
    const adapter = randomAdapter(random.config, { seed: 1, targets: ['q_proj', 'down_proj'] });
    const test = await openTestModel({}, mergeAdapter(random.weights, random.config, adapter));
    const expected = await generateAlone(test);
    expect(textOf(await generate({}, checkpoint))).toBe(expected.answers[0]!.text);
    expect(textOf(await generate())).not.toBe(expected.answers[0]!.text);
  });

  it('answers with many checkpoints in turns, keeping few', async () => {
    const directories = await Promise.all(Array.from({ length: 8 }, (_, seed) => aCheckpoint(`c${seed}`, seed + 1)));
    const first: string[] = [];
    for (const directory of directories) first.push(textOf(await generate({}, directory)));
    expect(new Set(first).size).toBe(8);
    expect(textOf(await generate({}, directories[0]!))).toBe(first[0]);
    const all = await Promise.all(directories.map(async (directory) => textOf(await generate({}, directory))));
    expect(all).toEqual(first);
  });

  it('constrains answers', async () => {
    const constraint = { kind: 'regex' as const, pattern: '(ja|nein)' };
    const events = await generate({ constraint, ending: { ignoreEos: false }, maxTokens: 20 });
    expect(['ja', 'nein']).toContain(textOf(events));
  });

  it.each<[string, Overrides]>([
    ['context_length_exceeded', { promptIds: Array.from({ length: 300 }, () => 1) }],
    ['engine.token_unknown', { promptIds: [9999] }],
    ['engine.constraint_unsupported', { constraint: { kind: 'regex', pattern: '\\b' } }],
  ])('fails a request with %s', async (code, overrides) => {
    await expect(generate(overrides)).rejects.toMatchObject({ code });
  });

  it('names the field of an unknown token', async () => {
    await expect(generate({ ending: { stopTokenIds: [9999] } })).rejects.toMatchObject({ field: 'stop_token_ids' });
  });

  it('fails with the reason when a checkpoint is damaged, and loads it when it is repaired', async () => {
    const checkpoint = await aCheckpoint('damaged');
    await writeFile(join(checkpoint, 'adapter_config.json'), '{}');
    await expect(engine.attach(base, { id: checkpoint, directory: checkpoint })).rejects.toMatchObject({
      code: 'storage.corrupt',
    });
    await rm(checkpoint, { recursive: true });
    await aCheckpoint('damaged');
    await engine.attach(base, { id: checkpoint, directory: checkpoint });
  });

  it('fails with the reason when a base model is missing or was not loaded', async () => {
    await expect(engine.loadBase(join(folder(), 'none'))).rejects.toMatchObject({
      code: expect.stringMatching(/^engine.base_model_/),
    });
    const other = engine.generate({ base: 'elsewhere', checkpoint: null }, aRequest());
    await expect(other.next()).rejects.toMatchObject({ code: 'engine.base_not_loaded' });
  });

  it('ends a request when its signal aborts, with the reason', async () => {
    const abort = new AbortController();
    const running = engine.generate({ base, checkpoint: null }, aRequest(ENDLESS), abort.signal);
    await running.next();
    abort.abort(new Error('gone'));
    await expect(readToEnd(running)).rejects.toThrow('gone');
    expect(textOf(await generate())).not.toBe('');
  });

  it('ends a request when its reader leaves', async () => {
    for await (const event of engine.generate({ base, checkpoint: null }, aRequest({ maxTokens: 200 }))) {
      if (event.kind === 'text') break;
    }
    expect(textOf(await generate())).not.toBe('');
  });

  it('does not run ahead of a slow reader, and loses nothing', async () => {
    const all = await generate(ENDLESS);
    const slow = engine.generate({ base, checkpoint: null }, aRequest(ENDLESS));
    const read = [(await slow.next()).value as GenerationEvent];
    const { generations } = (engine as unknown as { thread: { generations: Map<number, { stream: object }> } }).thread;
    const { waiting } = [...generations.values()][0]!.stream as { waiting: GenerationEvent[] };
    // The producer pauses at 1,024 events; a few messages are on their way by then.
    await until(() => waiting.length >= 1_024, 'a thousand events that wait');
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(waiting.length).toBeLessThan(1_500);
    for await (const event of slow) read.push(event);
    const ofChoice = (events: GenerationEvent[], choice: number) =>
      events.filter((event) => event.kind !== 'prompt' && event.choice === choice);
    expect(all.length).toBeGreaterThan(1_800);
    for (let choice = 0; choice < 12; choice++) expect(ofChoice(read, choice)).toEqual(ofChoice(all, choice));
  });

  it('fails running requests when it is closed', async () => {
    const running = engine.generate({ base, checkpoint: null }, aRequest(ENDLESS));
    await running.next();
    void engine.close();
    await expect(readToEnd(running)).rejects.toMatchObject({ code: 'engine.closed' });
    await expect(generate()).rejects.toMatchObject({ code: 'engine.closed' });
  });
});

describe('ServingEngine after a crash', () => {
  const folder = useTempFolder();

  it('fails running requests, starts again and answers the next', async () => {
    const base = join(folder(), 'base');
    await writeRandomLlama(base);
    const engine = ServingEngine.start();
    await engine.loadBase(base);
    const generate = async () => {
      let text = '';
      for await (const event of engine.generate({ base, checkpoint: null }, aRequest())) {
        if (event.kind === 'text') text += event.text;
      }
      return text;
    };
    const before = await generate();
    const { worker } = (engine as unknown as { thread: { worker: Worker } }).thread;
    const running = generate();
    // An invalid message ends the thread with an error. `terminate()` during a native call would end the process.
    worker.postMessage(null);
    await expect(running).rejects.toMatchObject({ code: 'engine.crashed' });
    expect(await generate()).toBe(before);
    await engine.close();
  });
});

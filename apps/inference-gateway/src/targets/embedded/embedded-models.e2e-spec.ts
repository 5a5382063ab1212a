import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { writeCheckpoint } from '@hone/engine';
import { until } from '@hone/testing/until';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';

import { anAdapter } from './adapter.fixture.js';
import { ask } from './embedded.fixture.js';
import { BUNDLED_MODELS, EmbeddedModels } from './embedded-models.js';
import type { EmbeddedTarget } from './embedded-target.js';
import { EmbeddedUpstream } from './embedded-upstream.js';
import type { LazyTarget } from './lazy-target.js';

const BUNDLED = join(BUNDLED_MODELS, 'hone-tiny');

/** Changes the sign of all weights of a file, which then says something else. */
async function negate(path: string): Promise<void> {
  const bytes = await readFile(path);
  const header = Number(bytes.readBigUInt64LE(0)) + 8;
  const width = bytes.toString('latin1', 8, header).includes('"F32"') ? 4 : 2;
  for (let at = header + width - 1; at < bytes.length; at += width) bytes[at] = (bytes[at] as number) ^ 0x80;
  await writeFile(path, bytes);
}

describe('EmbeddedModels', () => {
  let folder: string;
  let models: EmbeddedModels;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hone-embedded-'));
    models = new EmbeddedModels({ sources: { bundledDir: BUNDLED_MODELS, modelsDir: folder } });
  });
  afterAll(async () => {
    await models.close();
    await rm(folder, { recursive: true });
  });

  it('lists bundled models, and those of the models folder that load, with owner or without', async () => {
    for (const id of ['mine', 'acme/theirs']) await cp(BUNDLED, join(folder, id), { recursive: true });
    await mkdir(join(folder, 'other'));
    await writeFile(join(folder, 'other/config.json'), '{"model_type": "mamba"}');
    await mkdir(join(folder, 'nothing'));
    expect(models.folders.ids).toEqual([]);
    expect(await models.folders.look()).toBe(true);
    expect(models.folders.ids).toEqual(['hone-tiny', 'acme/theirs', 'mine']);
    expect(await models.folders.look()).toBe(false);
  });

  it('opens a model once', async () => {
    expect(await models.open('hone-tiny')).toBe(await models.open('hone-tiny'));
  });

  it('reports a damaged model, logs why, and opens it when it is repaired', async () => {
    const logged = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    await expect(models.open('repaired')).rejects.toMatchObject({ code: 'engine.base_model_unsupported' });
    expect(logged.mock.calls).toEqual([[expect.stringMatching(/^The base model repaired could not be opened: ./)]]);
    logged.mockRestore();
    await cp(BUNDLED, join(folder, 'repaired'), { recursive: true });
    const target = await models.target('repaired');
    expect((await ask(target, { temperature: 0 })).choices[0]!.message.content).toBe('cat');
  });

  describe('whose files are replaced', () => {
    /** A model of one answer: its output layer is that of another token. */
    const write = async (id: string, sign: 1 | -1) => {
      await rm(join(folder, id), { recursive: true, force: true });
      await cp(BUNDLED, join(folder, `${id}.new`), { recursive: true });
      if (sign < 0) await negate(join(folder, `${id}.new`, 'model.safetensors'));
      await rename(join(folder, `${id}.new`), join(folder, id));
    };
    const textOf = async (target: EmbeddedTarget) =>
      (await ask(target, { temperature: 0 })).choices[0]!.message.content;
    const upstream = () => new EmbeddedUpstream('local', models);
    const servingBases = () => (models as unknown as { engine: { bases: Map<string, unknown> } }).engine.bases.size;

    it('answers with the new weights, and unloads the old ones', async () => {
      await write('swapped', 1);
      await models.folders.look();
      const target = upstream().target('swapped') as LazyTarget;
      await target.open();
      const [before, loaded] = [await textOf(target as unknown as EmbeddedTarget), servingBases()];
      expect(before).toBe('cat');
      await write('swapped', -1);
      await models.folders.look();
      await target.open();
      expect(await textOf(target as unknown as EmbeddedTarget)).not.toBe(before);
      await until(() => servingBases() === loaded, 'the old weights to be unloaded');
    });

    it('gives the memory of a model that was removed back', async () => {
      await write('removed', 1);
      await models.folders.look();
      const before = servingBases();
      await models.open('removed');
      expect(servingBases()).toBe(before + 1);
      await rm(join(folder, 'removed'), { recursive: true });
      await models.folders.look();
      await until(() => servingBases() === before, 'the weights to be unloaded');
      await expect(models.open('removed')).rejects.toMatchObject({ code: 'engine.base_model_unsupported' });
    });

    it('ends requests on the weights that they began with', async () => {
      await write('running', 1);
      await models.folders.look();
      const target = await models.target('running');
      const fields = { temperature: 0, max_tokens: 200, ignore_eos: true, n: 8 };
      const alone = (await ask(target, fields)).choices;
      const running = ask(target, fields);
      await write('running', -1);
      await models.folders.look();
      expect((await running).choices).toEqual(alone);
    });
  });

  it('refuses what takes the tokenizer of a model too long, and answers the next', async () => {
    const file = join(folder, 'slow', 'tokenizer.json');
    await cp(BUNDLED, join(folder, 'slow'), { recursive: true });
    const { pre_tokenizer, ...json } = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
    const slow = { type: 'Split', pattern: { Regex: '(a+)+$|[^!]' }, behavior: 'Isolated', invert: false };
    const steps = { type: 'Sequence', pretokenizers: [slow, pre_tokenizer] };
    await writeFile(file, JSON.stringify({ ...json, pre_tokenizer: steps }));
    const target = await models.target('slow');
    const messages = (content: string) => ({ temperature: 0, messages: [{ role: 'user' as const, content }] });
    await expect(ask(target, messages(`${'a'.repeat(60)}!`))).rejects.toMatchObject({
      message: expect.stringContaining("The model's tokenizer takes too long with them"),
    });
    expect((await ask(target, messages('a!'))).choices).toHaveLength(1);
  });

  it('logs nothing of a model that it opens when it is closed', async () => {
    const logged = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const closed = new EmbeddedModels({ sources: { bundledDir: BUNDLED_MODELS, modelsDir: folder } });
    const opening = closed.open('hone-tiny');
    const failed = expect(opening).rejects.toMatchObject({ code: 'engine.closed' });
    await closed.close();
    await failed;
    expect(logged.mock.calls).toEqual([]);
    logged.mockRestore();
  });

  it.each(['../hone-tiny', '/etc', 'a/b/c', ''])('opens nothing for the id %j', async (id) => {
    await expect(models.open(id)).rejects.toMatchObject({ code: 'engine.base_model_unsupported' });
  });

  it('answers with a pinned checkpoint, with another fingerprint', async () => {
    const { model } = await models.open('hone-tiny');
    const directory = join(folder, 'checkpoint');
    const state = { step: 1, optimizerSteps: 0, rng: null, config: null };
    await writeCheckpoint(
      directory,
      { trained: { kind: 'lora', adapter: anAdapter() }, optimizer: null, state },
      model.directory,
    );
    const checkpoint = { id: 'c-1', directory };
    await models.attach('hone-tiny', checkpoint);
    const fields = { temperature: 0, logprobs: true };
    const base = await ask(await models.target('hone-tiny'), fields);
    const trained = await ask(await models.target('hone-tiny', checkpoint), fields);
    expect(trained.choices[0]!.logprobs).not.toEqual(base.choices[0]!.logprobs);
    expect(trained.system_fingerprint).not.toBe(base.system_fingerprint);
  });

  it('refuses a checkpoint that was trained on other weights of its base', async () => {
    const { model, digest } = await models.open('hone-tiny');
    const written = async (base_sha256: string) => {
      const directory = join(folder, `of-${base_sha256.slice(0, 8)}`);
      const state = { step: 1, optimizerSteps: 0, rng: null, config: { kind: 'sft', base_sha256 } };
      const trained = { kind: 'lora' as const, adapter: anAdapter() };
      await writeCheckpoint(directory, { trained, optimizer: null, state }, model.directory);
      return { id: directory, directory };
    };
    await models.attach('hone-tiny', await written(digest));
    await expect(models.attach('hone-tiny', await written('0'.repeat(64)))).rejects.toMatchObject({
      code: 'engine.base_changed',
    });
  });

  it('refuses conversations with a model that has no template', async () => {
    const directory = join(folder, 'untaught');
    await cp(BUNDLED, directory, { recursive: true });
    const file = join(directory, 'tokenizer_config.json');
    const { chat_template: _, ...config } = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
    await writeFile(file, JSON.stringify(config));
    const target = await models.target('untaught');
    await expect(ask(target, {})).rejects.toMatchObject({ reason: 'rejected', detail: [{ loc: ['body', 'model'] }] });
  });
});

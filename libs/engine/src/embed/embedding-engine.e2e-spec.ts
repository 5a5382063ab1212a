import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { until } from '@hone/testing';
import { EXPECTED_FILE, type ExpectedOfEncoder, writeTinyEncoder } from '@hone/testing/tiny-encoder';

import { useTempFolder } from '../model/temp-folder.fixture.js';
import { EmbeddingEngine, type OpenEmbeddingModel } from './embedding-engine.js';

describe('EmbeddingEngine', () => {
  const folder = useTempFolder();
  let engine: EmbeddingEngine;
  let model: OpenEmbeddingModel;
  beforeEach(async () => {
    await writeTinyEncoder(folder());
    engine = new EmbeddingEngine({ idleMs: 200 });
    model = await engine.open(folder());
  });
  afterEach(() => engine.close());

  const size = () => (engine as unknown as { threads: { size(): Promise<number> } }).threads.size();
  const embed = async (texts: readonly string[]) => {
    const rows = await engine.encode(model, texts);
    const written = await engine.embed(model, rows as number[][], { format: 'float' });
    return written.map((embedding) => JSON.parse(embedding) as number[]);
  };

  it('gives the same embeddings whatever else is computed beside them', async () => {
    const { embeddings } = JSON.parse(await readFile(EXPECTED_FILE, 'utf8')) as ExpectedOfEncoder;
    const texts = Array.from({ length: 200 }, (_text, at) => embeddings[at % embeddings.length] as Expected);
    const found = await embed(texts.map(({ text }) => text));
    for (const [at, { mean }] of texts.entries()) {
      for (const [index, value] of mean.entries()) expect(found[at]?.[index]).toBeCloseTo(value, 5);
    }
  });

  it('has no thread while nobody asks, and opens the model again for who does', async () => {
    const [before] = await embed(['cat']);
    await until(async () => (await size()) === 0, 'the end of the thread');
    expect(await embed(['cat'])).toEqual([before]);
  });

  it('computes nothing more of a request that was aborted', async () => {
    const abortion = new AbortController();
    const rows = Array.from({ length: 1_000 }, () => [5, 6, 7]);
    const embedding = engine.embed(model, rows, { format: 'float', signal: abortion.signal });
    abortion.abort(new Error('enough'));
    await expect(embedding).rejects.toThrow('enough');
    expect(await embed(['cat'])).toHaveLength(1);
  });

  it('does not go on with other files than a request began with', async () => {
    await engine.unload(folder());
    await writeTinyEncoder(folder(), { pooling: 'cls' });
    await expect(embed(['cat'])).rejects.toMatchObject({ code: 'engine.base_not_loaded' });
  });

  it('says what is wrong with a folder', async () => {
    await rm(join(folder(), 'onnx'), { recursive: true });
    await expect(engine.open(folder())).rejects.toMatchObject({
      code: 'engine.base_model_damaged',
      message: expect.stringContaining('optimum-cli export onnx'),
    });
  });

  it('ends a batch before it closes, and takes no more', async () => {
    const running = engine.embed(model, [[5, 6]], { format: 'float' });
    await engine.close();
    expect(await running).toHaveLength(1);
    await expect(embed(['cat'])).rejects.toMatchObject({ code: 'engine.closed' });
  });
});

type Expected = ExpectedOfEncoder['embeddings'][number];

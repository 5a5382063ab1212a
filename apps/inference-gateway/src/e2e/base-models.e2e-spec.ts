import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { until } from '@hone/testing';

import { BUNDLED_MODELS } from '../targets/embedded/embedded-models.js';
import { type GatewayApp, startGatewayApp } from './gateway-app.fixture.js';

describe('base models in a folder', () => {
  let folder: string;
  let gateway: GatewayApp;
  let log = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hone-models-'));
    await mkdir(join(folder, 'foreign'));
    await writeFile(join(folder, 'foreign/config.json'), '{"model_type": "mamba"}');
    process.env.HONE_MODELS_DIR = folder;
    gateway = await startGatewayApp(undefined, (line) => (log += line));
  });
  afterAll(async () => {
    await gateway.close();
    delete process.env.HONE_MODELS_DIR;
    await rm(folder, { recursive: true });
  });

  const listed = async (): Promise<string[]> =>
    (await gateway.caller.get('/v1/models')).json().data.map(({ id }: { id: string }) => id);
  const ask = (model: string) =>
    gateway.caller.post('/v1/chat/completions', {
      model,
      messages: [{ role: 'user', content: 'repeat: cat' }],
      temperature: 0,
    });

  it('are not listed when they cannot be loaded, and the log says why', async () => {
    expect(await listed()).toEqual(['hone-tiny']);
    expect((await ask('foreign')).status).toBe(404);
    expect(log).toMatch(/The base model foreign is not served: .*mamba/);
  });

  it('are listed and answer without a restart, as long as they are there', async () => {
    await cp(join(BUNDLED_MODELS, 'hone-tiny'), join(folder, 'acme/late'), { recursive: true });
    await until(async () => (await listed()).includes('acme/late'), 'the new model in the list');
    const answer = await ask('acme/late');
    expect([answer.status, answer.json().choices[0].message.content]).toEqual([200, 'cat']);
    await rm(join(folder, 'acme'), { recursive: true });
    await until(async () => !(await listed()).includes('acme/late'), 'the list without the model');
    expect((await ask('acme/late')).status).toBe(404);
    expect((await ask('hone-tiny')).status).toBe(200);
  });
});

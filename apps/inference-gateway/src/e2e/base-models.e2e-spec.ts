import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { until } from '@hone/testing';

import { BUNDLED_MODELS } from '../targets/embedded/embedded-models.js';
import { type GatewayOnFolder, startGatewayOnFolder } from './models-folder.fixture.js';

describe('base models in a folder', () => {
  let gateway: GatewayOnFolder;
  beforeAll(async () => {
    gateway = await startGatewayOnFolder(async (folder) => {
      await mkdir(join(folder, 'foreign'));
      await writeFile(join(folder, 'foreign/config.json'), '{"model_type": "mamba"}');
    });
  });
  afterAll(() => gateway.close());

  it('are not listed when they cannot be loaded, and the log says why', async () => {
    const { listed, ask, log } = gateway;
    expect(await listed()).toEqual(['hone-tiny']);
    expect((await ask('foreign')).status).toBe(404);
    expect(log()).toMatch(/The base model foreign is not served: .*mamba/);
  });

  it('are listed and answer without a restart, as long as they are there', async () => {
    const { folder, listed, ask } = gateway;
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

import { cp, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { BaseModelFolders } from '@hone/engine';
import { until } from '@hone/testing';
import { jest } from '@jest/globals';

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

  it('answer whoever asks for them right after they came', async () => {
    const { folder, caller, ask } = gateway;
    for (const name of ['first', 'second', 'third']) {
      await cp(join(BUNDLED_MODELS, 'hone-tiny'), join(folder, '.staging/model'), { recursive: true });
      await rename(join(folder, '.staging/model'), join(folder, name));
      const [answer, listed] = await Promise.all([ask(name), caller.get(`/v1/models/${name}`)]);
      expect([answer.status, listed.json().id]).toEqual([200, name]);
      await rm(join(folder, name), { recursive: true });
    }
  });

  it('are looked for once, however many requests miss one', async () => {
    const look = jest.spyOn(BaseModelFolders.prototype, 'scan');
    const answers = await Promise.all(Array.from({ length: 40 }, () => gateway.ask('missing')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
    expect(look.mock.calls.length).toBeLessThan(10);
    look.mockRestore();
  });
});

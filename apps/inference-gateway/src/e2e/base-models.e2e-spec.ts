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
    const answer = await ask('foreign');
    expect([answer.status, answer.headers['x-should-retry']]).toEqual([503, 'false']);
    expect(answer.json().error).toMatchObject({
      code: 'base_model_not_served',
      message: expect.stringMatching(/^No target serves the base 'foreign': foreign\/config\.json: .*mamba/),
    });
    expect((await gateway.caller.get('/v1/models/foreign')).status).toBe(404);
    expect(log()).toMatch(/The base model foreign is not served: .*mamba/);
  });

  it('with a template that cannot be read are refused with the reason, and served once it is mended', async () => {
    const { folder, listed, ask } = gateway;
    await cp(join(BUNDLED_MODELS, 'hone-tiny'), join(folder, '.staging/model'), { recursive: true });
    await writeFile(join(folder, '.staging/model/chat_template.jinja'), '{% for m in messages %}{{ m.content }');
    await rename(join(folder, '.staging/model'), join(folder, 'torn'));
    const answer = await ask('torn');
    expect([answer.status, answer.json().error.message]).toEqual([
      503,
      expect.stringMatching(/^No target serves the base 'torn': torn: the chat template: it is not valid: .+\.$/),
    ]);
    expect(await listed()).not.toContain('torn');
    await writeFile(join(folder, 'torn/chat_template.jinja'), '{% for m in messages %}{{ m.content }}{% endfor %}');
    await until(async () => (await ask('torn')).status === 200, 'an answer');
    await rm(join(folder, 'torn'), { recursive: true });
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

describe('routes to base models', () => {
  let gateway: GatewayOnFolder;
  beforeAll(async () => {
    const local = (model: string) => ({ upstream: 'local', model });
    gateway = await startGatewayOnFolder(
      async (folder) => {
        await mkdir(join(folder, 'foreign'));
        await writeFile(join(folder, 'foreign/config.json'), '{"model_type": "mamba"}');
      },
      {
        routes: [
          { id: 'chat', aliases: ['gpt'], targets: [local('acme/late')] },
          { id: 'strange', targets: [local('foreign')] },
          { id: 'spared', targets: [local('acme/late'), local('hone-tiny')] },
        ],
      },
    );
  });
  afterAll(() => gateway.close());

  const ready = async () => (await gateway.as(undefined).get('/readyz')).json();
  const LATE = (route: string) => `The route '${route}' is without a target: local has no model 'acme/late'.`;
  const add = async () => {
    await cp(join(BUNDLED_MODELS, 'hone-tiny'), join(gateway.folder, '.staging/late'), { recursive: true });
    await mkdir(join(gateway.folder, 'acme'), { recursive: true });
    await rename(join(gateway.folder, '.staging/late'), join(gateway.folder, 'acme/late'));
  };

  it('that are not there end no start: the log and the readiness name them, and the others answer', async () => {
    const { status, warnings } = await ready();
    expect(status).toBe('ready');
    expect(warnings).toEqual([
      LATE('chat'),
      expect.stringMatching(/^The route 'strange' is without a target: local cannot load 'foreign': foreign\/.*mamba/),
      LATE('spared'),
    ]);
    expect(gateway.log()).toContain(LATE('chat'));
    expect((await gateway.ask('spared')).status).toBe(200);
    expect((await gateway.ask('hone-tiny')).status).toBe(200);
  });

  it('without any target say which model is missing', async () => {
    const { status, json } = await gateway.ask('gpt');
    expect([status, json().error.code, json().error.message]).toEqual([
      503,
      'base_model_not_served',
      "The route 'chat' has no target: local has no model 'acme/late'.",
    ]);
    expect((await gateway.ask('strange')).json().error.message).toMatch(/mamba/);
  });

  it('open when their model comes, and close when it goes', async () => {
    await add();
    expect((await gateway.ask('gpt')).status).toBe(200);
    await until(async () => (await ready()).warnings.length === 1, 'the readiness without these warnings');
    await rm(join(gateway.folder, 'acme'), { recursive: true });
    await until(async () => (await gateway.ask('gpt')).status === 503, 'the route without its model');
    expect((await gateway.ask('spared')).status).toBe(200);
  });
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startTestApp } from '@hone/testing';

import { InferenceGatewayModule } from '../../inference-gateway.module.js';
import { CHAT, TrainedWorld } from './trained-world.fixture.js';

describe('a gateway with a custom scheme of references', () => {
  it('writes it in answers, headers and lists, and reads any scheme', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'hone-scheme-'));
    process.env.HONE_DATA_DIR = dataDir;
    const app = await startTestApp(InferenceGatewayModule, { refScheme: 'w-b+x' }, { isOwn: true });
    try {
      const world = new TrainedWorld(app, dataDir);
      const agent = await world.createModel({ name: 'agent' });
      await world.commit(agent, 1);
      const caller = app.as(`Bearer ${app.writer.key}`);
      const messages = [{ role: 'user', content: 'x' }];
      const own = 'w-b+x-artifact:///acme/demo/agent';
      for (const model of [agent.ref, own, 'any-artifact://acme/demo/agent:step1']) {
        const { json, headers } = await caller.post(CHAT, { model, messages, max_tokens: 1 });
        expect(json().model).toEqual(`${own}:step1`);
        expect(headers['hone-model']).toEqual(`${own}:step1`);
      }
      const { data } = (await caller.get('/v1/models')).json() as { data: { id: string }[] };
      expect(data.map(({ id }) => id).slice(1)).toEqual([`${own}:step1`, own]);
    } finally {
      await app.close();
      await rm(dataDir, { recursive: true });
    }
  });
});

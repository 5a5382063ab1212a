import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type GatewayApp, startGatewayApp } from './gateway-app.fixture.js';

/** A gateway whose models folder is one of its own. */
export interface GatewayOnFolder extends GatewayApp {
  /** The models folder. */
  folder: string;
  /** All that was logged so far. */
  log(): string;
  /** Ids that `GET /v1/models` lists. */
  listed(): Promise<string[]>;
  /** Has a model repeat the word "cat". */
  ask(model: string): ReturnType<GatewayApp['caller']['post']>;
}

/**
 * @param fill what is in the folder when the gateway starts
 * @param upstreams what the upstreams file says; absent: there is none
 */
export async function startGatewayOnFolder(
  fill: (folder: string) => Promise<unknown> = async () => undefined,
  upstreams?: object,
): Promise<GatewayOnFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'hone-models-'));
  await fill(folder);
  process.env.HONE_MODELS_DIR = folder;
  let log = '';
  const gateway = await startGatewayApp(upstreams, (line) => (log += line));
  const { caller } = gateway;
  const body = { messages: [{ role: 'user', content: 'repeat: cat' }], temperature: 0 };
  return {
    ...gateway,
    folder,
    log: () => log,
    listed: async () => (await caller.get('/v1/models')).json().data.map(({ id }: { id: string }) => id),
    ask: (model) => caller.post('/v1/chat/completions', { ...body, model }),
    close: async () => {
      await gateway.close();
      delete process.env.HONE_MODELS_DIR;
      await rm(folder, { recursive: true });
    },
  };
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from '@hone/database';
import { type ServiceProcess, startService, startTestApp, type TestApp } from '@hone/testing';

import { EvaluationModule } from '../evaluation.module.js';

/** The evaluation service beside a real gateway that serves the bundled model, or another one. */
export class TinyGateway {
  private constructor(
    readonly app: TestApp,
    private readonly gateway: ServiceProcess,
    private readonly dataDir: string,
  ) {}

  /** @param model as requests name it; another one than the bundled is in the folder that HONE_MODELS_DIR names */
  static async start(model = 'hone-tiny'): Promise<TinyGateway> {
    const port = await freePort();
    const module = EvaluationModule.forRoot(() => ({ gatewayUrl: `http://127.0.0.1:${port}` }));
    const app = await startTestApp(module, {}, { isOwn: true });
    const dataDir = await mkdtemp(join(tmpdir(), 'tiny-gateway-'));
    const configuration = {
      upstreams: [{ name: 'local', kind: 'embedded' }],
      routes: [{ id: model, targets: [{ upstream: 'local', model }] }],
    };
    const HONE_UPSTREAMS = join(dataDir, 'upstreams.json');
    await writeFile(HONE_UPSTREAMS, JSON.stringify(configuration));
    const { HONE_MODELS_DIR } = process.env;
    const models: Record<string, string> = HONE_MODELS_DIR === undefined ? {} : { HONE_MODELS_DIR };
    const env = { DATABASE_URL: app.url, HONE_DATA_DIR: dataDir, HONE_UPSTREAMS, ...models };
    return new TinyGateway(app, await startService('inference-gateway', env, port), dataDir);
  }

  async close(): Promise<void> {
    await this.gateway.stop('SIGKILL');
    await this.app.close();
    await rm(this.dataDir, { recursive: true });
  }
}

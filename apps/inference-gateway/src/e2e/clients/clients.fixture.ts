import { until } from '@hone/testing';
import { FakeUpstream } from '@hone/testing/fakes';

import { type GatewayApp, startGatewayApp } from '../gateway-app.fixture.js';
import { ScriptedUpstream } from './scripted-upstream.fixture.js';

/** Models of the upstream that misbehaves, see the fake's scenario.ts. */
export const FAULT_TABLE = {
  /** Goes on for half a minute. */
  endless: 'ok+tokens@600+pace@50',
  /** Never answers. */
  silent: 'silent',
  /** Closes the connection after three tokens. */
  broken: 'cut@3',
  /** Reports an error within its answer. */
  failed: 'error-frame@3',
  /** 429 for one request. */
  busyOnce: 'rate-limit+times@1+retry-after@1',
};

/** A gateway that listens, with the bundled model and two upstreams. */
export interface ClientsApp extends GatewayApp {
  /** With `/v1`. */
  baseUrl: string;
  key: string;
  fake: FakeUpstream;
  scripted: ScriptedUpstream;
}

const upstream = (name: string, baseUrl: string, models: string[]) => ({
  name,
  kind: 'openai-compatible',
  base_url: baseUrl,
  dialect: 'vllm',
  models: models.map((model) => ({ name: model })),
  // These specs check how clients handle failures, not how the gateway does.
  retries: 0,
  max_attempts: 1,
  breaker_failures: 1_000,
});

export async function startClientsApp(): Promise<ClientsApp> {
  const [fake, scripted] = [await FakeUpstream.start({ name: 'f' }), await ScriptedUpstream.start()];
  const gateway = await startGatewayApp({
    // Compile times on a busy machine are not tested here.
    limits: { compile_ms: 60_000 },
    upstreams: [
      upstream('fake', fake.baseUrl, ['ok', ...Object.values(FAULT_TABLE)]),
      upstream('scripted', scripted.baseUrl, ['scripted']),
    ],
  });
  await gateway.app.listen(0, '127.0.0.1');
  return {
    ...gateway,
    baseUrl: `${await gateway.app.getUrl()}/v1`,
    key: gateway.writer.key,
    fake,
    scripted,
    close: async () => {
      await gateway.close();
      await Promise.all([fake.stop(), scripted.stop()]);
    },
  };
}

/** Resolves when the upstream has noticed that its caller left. */
export async function untilAborted(fake: FakeUpstream): Promise<void> {
  await until(() => fake.requests.at(-1)?.abortedAtMs, 'the end of the request to the upstream');
}

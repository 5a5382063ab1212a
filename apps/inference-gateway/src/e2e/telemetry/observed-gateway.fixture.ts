import type { AddressInfo } from 'node:net';

import type { FakeUpstream } from '@hone/testing/fakes';

import { type GatewayApp, startGatewayApp } from '../gateway-app.fixture.js';

export const CHAT_PATH = '/v1/chat/completions';

/** A gateway that listens, with two routes for each behaviour of the fakes: alone, and with a fallback. */
export interface ObservedGateway extends GatewayApp {
  readonly url: string;
  /** Each line of the log, parsed. */
  readonly log: Record<string, unknown>[];
  /** The log, unchanged. */
  logText(): string;
  /** Values of a metric in `/metrics`: labels as printed -> value. */
  metric(name: string): Promise<Record<string, number>>;
}

/** Routes of a spec: name of a route -> models of its targets at `main` and at `backup`. */
export type Targets = Readonly<Record<string, readonly [main: string, backup?: string]>>;

/** @param more parts of the upstreams file beside upstreams and routes */
export async function startObservedGateway(
  targets: Targets,
  [main, backup]: readonly [FakeUpstream, FakeUpstream],
  more: object = {},
): Promise<ObservedGateway> {
  const lines: string[] = [];
  const models = (index: 0 | 1) => [...new Set(Object.values(targets).flatMap((pair) => pair[index] ?? []))];
  const upstream = (name: string, fake: FakeUpstream, index: 0 | 1) => ({
    ...{ name, kind: 'openai-compatible', base_url: fake.baseUrl, dialect: 'vllm', params: 'all', usage: 'include' },
    ...{ token_frames: true, breaker_failures: 50, models: models(index).map((model) => ({ name: model })) },
  });
  const routes = Object.entries(targets).map(([id, pair]) => ({
    ...{ id, backoff_ms: 5, ttft_ms: 60_000, ttft_last_ms: 60_000, stall_ms: 60_000, response_ms: 60_000 },
    targets: pair.map((model, priority) => ({ upstream: priority === 0 ? 'main' : 'backup', model, priority })),
  }));
  const upstreams = [upstream('main', main, 0), upstream('backup', backup, 1)];
  const app = await startGatewayApp({ upstreams, routes, ...more }, (line) => lines.push(line));
  await app.app.listen(0, '127.0.0.1');
  const { port } = app.app.getHttpServer().address() as AddressInfo;
  return {
    ...app,
    url: `http://127.0.0.1:${port}`,
    get log() {
      return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    },
    logText: () => lines.join(''),
    metric: async (name) => valuesOf((await app.as(undefined).get('/metrics')).text, name),
  };
}

function valuesOf(text: string, name: string): Record<string, number> {
  const samples = text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm);
  return Object.fromEntries(
    [...samples].flatMap(([, sample, labels = '', value]) => (sample === name ? [[labels, Number(value)]] : [])),
  );
}

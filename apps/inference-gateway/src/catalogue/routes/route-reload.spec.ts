import { FakeUpstream } from '@hone/testing/fakes';

import { answerOf, aRequest, MemorySink } from '../../dispatch/answer-rig.fixture.js';
import { answerRequest } from '../../dispatch/request-run.js';
import { CallerSignal } from '../../shared/caller-signal.js';
import { SYSTEM_CLOCK } from '../../shared/time/clock.js';
import { HttpUpstream } from '../../targets/http/http-upstream.js';
import type { UpstreamSettings } from '../../targets/registry/upstream-registry.js';
import type { Upstream } from '../../targets/upstream.js';
import { readConfiguration } from '../configuration/read-configuration.js';
import { RouteTable } from './route-table.js';

const openUpstream = (settings: UpstreamSettings): Upstream =>
  settings.kind === 'embedded'
    ? { models: [], target: () => null, close: async () => undefined }
    : new HttpUpstream(settings, SYSTEM_CLOCK);

describe('routes that change', () => {
  let a: FakeUpstream;
  let b: FakeUpstream;
  beforeAll(async () => {
    a = await FakeUpstream.start({ name: 'a' });
    b = await FakeUpstream.start({ name: 'b' });
  });
  afterAll(() => Promise.all([a.stop(), b.stop()]));

  const configurationOf = (fake: FakeUpstream) =>
    readConfiguration(
      'up.yaml',
      JSON.stringify({
        upstreams: [
          {
            name: 'up',
            kind: 'openai-compatible',
            base_url: fake.baseUrl,
            models: [{ name: 'ok+tokens@12+pace@3' }],
            max_concurrency: 500,
          },
        ],
        routes: [{ id: 'chat', targets: [{ upstream: 'up', model: 'ok+tokens@12+pace@3' }] }],
      }),
      () => undefined,
    );

  it('drop no request under load, and take the new ones to the new place', async () => {
    const open = (fake: FakeUpstream, previous: RouteTable | null = null) =>
      new RouteTable(configurationOf(fake), openUpstream, SYSTEM_CLOCK, previous);
    let routes = open(a);
    const sinks: MemorySink[] = [];
    const running: Promise<{ status: string }>[] = [];
    for (let turn = 0; turn < 20; turn++) {
      if (turn === 10) routes = open(b, routes);
      const route = routes.find('chat');
      if (route === null) throw new Error('no route');
      const sink = new MemorySink();
      sinks.push(sink);
      const signal = new CallerSignal();
      const order = { request: aRequest({ stream: true }), route, guard: 'passthrough' as const, priority: 0, signal };
      running.push(answerRequest(order, sink));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    expect(new Set((await Promise.all(running)).map(({ status }) => status))).toEqual(new Set(['ok']));
    expect(sinks.map((sink) => sink.content())).toEqual([
      ...Array(10).fill(answerOf('a', 12)),
      ...Array(10).fill(answerOf('b', 12)),
    ]);
    await routes.close();
  });
});

import { until } from '@hone/testing';
import { FakeUpstream } from '@hone/testing/fakes';

import { UserHash } from '../../telemetry/logging/user-hash.js';
import { CHAT_PATH, type ObservedGateway, startObservedGateway } from './observed-gateway.fixture.js';

const PROMPT = 'the-secret-of-the-prompt';
const USER = 'jane.doe@example.org';
const messages = [{ role: 'user', content: PROMPT }];
const TARGETS = { plain: ['ok'], failing: ['status@500'] } as const;

describe('the log of the gateway', () => {
  let fakes: [FakeUpstream, FakeUpstream];
  let gateway: ObservedGateway;
  beforeAll(async () => {
    fakes = [await FakeUpstream.start({ name: 'word-of-the-answer' }), await FakeUpstream.start()];
    gateway = await startObservedGateway(TARGETS, fakes);
  });
  afterAll(async () => {
    await gateway.close();
    await Promise.all(fakes.map((fake) => fake.stop()));
  });

  /** The lines of one request. */
  async function linesOf(body: object, rid: string): Promise<Record<string, unknown>[]> {
    await gateway.caller.post(CHAT_PATH, body, { headers: { 'x-request-id': rid } });
    const ofIt = () => gateway.log.filter((line) => line.rid === rid || line.reqId === rid);
    await until(() => ofIt().length > 0);
    return ofIt();
  }

  it('has one line per request', async () => {
    const lines = await linesOf({ model: 'plain', messages, user: USER, x_other: 1, stream: true }, 'rid-1');
    expect(lines).toEqual([
      expect.objectContaining({
        msg: 'completion',
        rid: 'rid-1',
        uid: expect.any(String),
        project: 'wendy/default',
        model: 'plain',
        stream: true,
        route: 'plain',
        target: 'main/ok',
        status: 200,
        result: 'ok',
        ms: expect.any(Number),
        ttftMs: expect.any(Number),
        queuedMs: expect.any(Number),
        attempts: 1,
        promptTokens: expect.any(Number),
        completionTokens: 9,
        user: gateway.app.get(UserHash).of(USER),
        unknownFields: 1,
      }),
    ]);
    expect(lines[0]).not.toHaveProperty('code');
  });

  it('has one line for a refused and for a failed request', async () => {
    expect(await linesOf({ model: 'plain', messages, temperature: 9 }, 'rid-2')).toEqual([
      expect.objectContaining({ status: 422, result: 'refused', code: 'less_than_equal', route: 'none' }),
    ]);
    expect(await linesOf({ model: 'failing', messages }, 'rid-3')).toEqual([
      expect.objectContaining({ status: 502, result: 'failed', code: 'upstream_failed', attempts: 3 }),
    ]);
  });

  it('still logs requests of other routes', async () => {
    await gateway.caller.get('/v1/models');
    await gateway.caller.put(CHAT_PATH, {});
    const answered = gateway.log.filter(({ msg }) => msg === 'answered');
    expect(answered.map(({ status }) => status)).toEqual([200, 405]);
  });

  it('reports that an invalid upstreams file was refused', async () => {
    await gateway.configure({ upstreams: 'none' });
    const isRefusal = ({ level, context }: Record<string, unknown>) => level === 50 && context === 'GatewayModels';
    await until(() => gateway.log.some(isRefusal));
    expect(gateway.log.find(isRefusal)?.msg).toMatch(/upstreams\.json/);
    expect(await gateway.metric('hone_gateway_upstreams_file_refused')).toEqual({ '': 1 });
  });

  it('never contains text of the conversation, a key or a user', async () => {
    await linesOf({ model: 'plain', messages, user: USER }, 'rid-4');
    await linesOf({ model: 'plain', messages: [{ role: 'user', content: PROMPT, tool_calls: 3 }] }, 'rid-5');
    await gateway.as(`Bearer ${gateway.writer.key}x`).post(CHAT_PATH, { model: 'plain', messages });
    const text = gateway.logText();
    expect(text).toContain('rid-4');
    expect(text).toContain('rid-5');
    for (const secret of [PROMPT, USER, gateway.writer.key, 'word-of-the-answer']) expect(text).not.toContain(secret);
  });
});

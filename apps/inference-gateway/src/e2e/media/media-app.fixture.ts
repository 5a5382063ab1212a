import { newId } from '@hone/database';

import { MeteringService } from '../../metering/recording/metering.service.js';
import { type GatewayApp, startGatewayApp } from '../gateway-app.fixture.js';
import { MediaServer } from './media-server.fixture.js';

/** A gateway with models of images and audio at two servers of the same form; requests go to the first. */
export interface MediaApp extends GatewayApp {
  readonly server: MediaServer;
  readonly second: MediaServer;
  readonly url: string;
  /** The usage records of a request. */
  booked(rid: string): Promise<Record<string, unknown>[]>;
  /** The call of a request. */
  call(rid: string): Promise<{ op: string; inputs: Record<string, unknown>; output: unknown }>;
  /** Headers with an id of the request. */
  withId(): { rid: string; headers: Record<string, string> };
}

const KINDS = { painter: 'image', speaker: 'speech', listener: 'transcription' };
const PRICES = {
  painter: { prompt: 5, completion: 40, image: 0.04 },
  speaker: { characters: 15 },
  listener: { minute: 0.006 },
};

export async function startMediaApp(): Promise<MediaApp> {
  const [server, second] = [new MediaServer(), new MediaServer()];
  const models = Object.entries(KINDS).map(([name, kind]) => ({ name, kind }));
  const upstream = { kind: 'openai-compatible', retries: 0, breaker_failures: 1_000, out_ms: 1, cooling_ms: 1, models };
  const keys = { keys: ['MEDIA_KEY_ONE', 'MEDIA_KEY_TWO'] };
  process.env.MEDIA_KEY_ONE = 'k1';
  process.env.MEDIA_KEY_TWO = 'k2';
  const names = Object.keys(KINDS);
  const gateway = await startGatewayApp({
    limits: { max_body_bytes: 100_000 },
    upstreams: [
      { ...upstream, name: 'one', base_url: await server.start(), models: [...models, { name: 'chatter' }] },
      { ...upstream, name: 'two', base_url: await second.start(), ...keys },
    ],
    routes: [
      ...Object.entries(PRICES).map(([id, price]) => ({ id, price, targets: [{ upstream: 'one', model: id }] })),
      { id: 'chatter', targets: [{ upstream: 'one', model: 'chatter' }] },
      ...names.map((model) => ({
        id: `${model}-backed`,
        targets: [
          { upstream: 'one', model },
          { upstream: 'two', model, priority: 1 },
        ],
      })),
      { id: 'all', targets: [...names, 'chatter'].map((model) => ({ upstream: 'one', model })) },
    ],
  });
  await gateway.app.listen(0, '127.0.0.1');
  const flush = () => gateway.app.get(MeteringService).flush();
  return {
    ...gateway,
    server,
    second,
    url: await gateway.app.getUrl(),
    withId: () => {
      const rid = newId();
      return { rid, headers: { 'x-request-id': rid } };
    },
    booked: async (rid) => {
      await flush();
      return gateway.sql(
        `SELECT status, error_code, prompt_tokens, completion_tokens, cost_nano_usd::text cost, source
         FROM usage_records WHERE rid = $1`,
        [rid],
      );
    },
    call: async (rid) => {
      await flush();
      const [call] = await gateway.sql<{ op: string; inputs: Record<string, unknown>; output: unknown }>(
        `SELECT c.op_name op, v.inputs_text::json inputs, v.output_text::json output
         FROM calls c JOIN call_values v USING (project_id, id) WHERE c.id = $1`,
        [rid],
      );
      return call!;
    },
    close: async () => {
      await gateway.close();
      await Promise.all([server.stop(), second.stop()]);
      delete process.env.MEDIA_KEY_ONE;
      delete process.env.MEDIA_KEY_TWO;
    },
  };
}

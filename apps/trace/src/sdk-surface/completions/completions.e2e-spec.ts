import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { anObject } from '../../testing/bodies.fixture.js';
import { TraceModule } from '../../trace.module.js';

const AT = '/compat/weave/completions';
const project_id = 'acme/demo';
const inputs = { model: 'm', messages: [{ role: 'user', content: 'Say {what}' }], temperature: 0.5, seed: null };
const USAGE = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
const chunk = (content: string | null, finish_reason: string | null = null) =>
  JSON.stringify({ id: 'x', model: 'm', choices: [{ index: 0, delta: { content }, finish_reason }] });

/** Answers as the gateway does; the model says how. */
function aGateway(seen: { headers: IncomingHttpHeaders; body: Record<string, unknown> }[]): Server {
  return createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (bytes: Buffer) => chunks.push(bytes));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
      seen.push({ headers: request.headers, body });
      if (body['model'] === 'none') {
        response
          .writeHead(404)
          .end('{"error":{"message":"There is no model \'none\'.","type":"invalid_request_error"}}');
      } else if (body['stream']) {
        response.write(`data: ${chunk('fo')}\n\ndata: ${chunk('ur', 'stop')}\n\n`);
        response.write(`data: ${JSON.stringify({ id: 'x', model: 'm', choices: [], usage: USAGE })}\n\n`);
        if (body['model'] === 'broken') response.destroy();
        else response.end('data: [DONE]\n\n');
      } else {
        const message = { role: 'assistant', content: 'four' };
        response.end(
          `{"id":"x","created":1.0,"choices":[{"index":0,"message":${JSON.stringify(message)}}],"usage":${JSON.stringify(USAGE)}}`,
        );
      }
    });
  });
}

describe('completions for SDKs', () => {
  const seen: { headers: IncomingHttpHeaders; body: Record<string, unknown> }[] = [];
  const gateway = aGateway(seen);
  let trace: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
    const gatewayUrl = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
    trace = await startTestApp(TraceModule, { gatewayUrl } as object);
    client = trace.as(trace.writer);
  });
  afterAll(async () => {
    await trace.close();
    gateway.closeAllConnections();
    await new Promise((resolve) => gateway.close(resolve));
  });

  const calls = async () =>
    (await client.post('/calls/stream_query', { project_id })).text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const lines = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  it('come from the gateway, with the caller’s own key, and are kept as calls', async () => {
    const { status, text } = await client.post(`${AT}/create`, {
      project_id,
      inputs: { ...inputs, vertex_credentials: 'secret' },
    });
    expect(status).toBe(200);
    expect(text).toContain('"created":1.0');
    expect(JSON.parse(text)).toMatchObject({
      response: { choices: [{ message: { content: 'four' } }] },
      weave_call_id: expect.any(String),
    });
    const [{ headers, body }] = seen.splice(0) as [(typeof seen)[0]];
    expect(headers.authorization).toBe(`Bearer ${trace.writer.key}`);
    expect(body).toEqual({ model: 'm', messages: inputs.messages, temperature: 0.5 });
    const [call] = await calls();
    expect(call).toMatchObject({
      ...{ id: JSON.parse(text).weave_call_id, op_name: 'completions.create', inputs, output: { id: 'x' } },
      summary: { usage: { m: { requests: 1, ...USAGE } }, hone: { status: 'success' } },
    });
    expect(JSON.stringify(call)).not.toContain('secret');
  });

  it('stream as lines, after the ids of the call', async () => {
    const { status, text, headers } = await client.post(`${AT}/create_stream`, { project_id, inputs });
    expect([status, headers['content-type']]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
    const [meta, ...rest] = lines(text);
    expect(rest.map((line) => JSON.stringify(line))).toEqual([
      chunk('fo'),
      chunk('ur', 'stop'),
      expect.stringContaining('usage'),
    ]);
    const id = (meta?.['_meta'] as Record<string, unknown>)['weave_call_id'];
    expect((await calls()).find((call) => call['id'] === id)).toMatchObject({
      output: { choices: [{ message: { content: 'four' }, finish_reason: 'stop' }], usage: USAGE },
    });
  });

  it('use prompts that the caller can read, and fill in variables', async () => {
    await client.post(
      '/obj/create',
      anObject('p', { _type: 'MessagesPrompt', messages: [{ role: 'system', content: 'Be {how}.' }] }),
    );
    const prompt = 'weave:///acme/demo/object/p:latest';
    const template_vars = { what: 'four', how: 'brief' };
    seen.length = 0;
    await client.post(`${AT}/create`, {
      project_id,
      inputs: { ...inputs, prompt, template_vars },
      track_llm_call: false,
    });
    expect(seen[0]?.body['messages']).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Say four' },
    ]);
    const other = await client.post(`${AT}/create_stream`, {
      ...{ project_id, inputs: { ...inputs, prompt: 'weave:///globex/x/object/p:v0' } },
    });
    expect([other.status, other.json().error_type]).toEqual([400, 'InvalidRequest']);
  });

  it('that fail are told as the SDKs read it, and kept as failed calls', async () => {
    const wrong = await client.post(`${AT}/create`, { project_id, inputs: { ...inputs, model: 'none' } });
    expect([wrong.status, wrong.json().response]).toEqual([200, { error: "There is no model 'none'." }]);
    const broken = await client.post(`${AT}/create_stream`, { project_id, inputs: { ...inputs, model: 'broken' } });
    expect(lines(broken.text).at(-1)).toEqual({ error: expect.any(String) });
    expect((await calls()).slice(-2)).toMatchObject([
      { exception: "There is no model 'none'." },
      { inputs: { model: 'broken' }, summary: { hone: { status: 'error' } } },
    ]);
  });

  it('are kept only on request, and only where the caller may write', async () => {
    const before = (await calls()).length;
    const answer = await client.post(`${AT}/create`, { project_id, inputs, track_llm_call: false });
    expect(Object.keys(answer.json())).toEqual(['response']);
    expect(await calls()).toHaveLength(before);
    const reader = trace.as(await trace.user('rita', { roles: { acme: 'reader' } }));
    expect((await reader.post(`${AT}/create`, { project_id, inputs })).status).toBe(403);
    expect((await reader.post(`${AT}/create`, { project_id, inputs, track_llm_call: false })).status).toBe(200);
  });

  it('come with the session of a browser as with a key', async () => {
    const token = 'session-of-a-browser'.padEnd(43, '-');
    const { keyId } = await trace.user('bea', { roles: { acme: 'writer' } });
    await trace.sql(
      "INSERT INTO sessions VALUES (gen_random_uuid(), sha256($1), $2, now(), now() + interval '1 hour')",
      [Buffer.from(token), keyId],
    );
    const headers = { cookie: `theme=dark; hone_session=${token}`, 'x-hone-console': '1' };
    const browser = trace.as(undefined);
    const before = (await calls()).length;
    seen.length = 0;
    for (const path of ['create', 'create_stream']) {
      const { status, text } = await browser.post(`${AT}/${path}`, { project_id, inputs }, { headers });
      expect([status, text]).toEqual([200, expect.stringContaining('fo')]);
    }
    const session = { cookie: `hone_session=${token}`, 'x-hone-console': '1' };
    expect(seen.map((one) => one.headers)).toEqual([1, 2].map(() => expect.objectContaining(session)));
    expect(seen.map((one) => one.headers.authorization)).toEqual([undefined, undefined]);
    expect(await calls()).toHaveLength(before + 2);
    const elsewhere = await browser.post(
      `${AT}/create`,
      { project_id, inputs },
      { headers: { cookie: headers.cookie } },
    );
    expect(elsewhere.status).toBe(403);
  });

  it('are nowhere without a gateway', async () => {
    const lone = await startTestApp(TraceModule);
    const { status, json } = await lone.as(lone.writer).post(`${AT}/create`, { project_id, inputs });
    expect([status, json()]).toEqual([404, { reason: 'Not supported by this server' }]);
    await lone.close();
  });
});

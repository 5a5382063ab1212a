import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

import { until } from '@hone/testing';

import {
  CAT,
  CHAT,
  type ContractApp,
  issuesOf,
  said,
  startContractApp,
  textOf,
  upstreamsOf,
} from './contract.fixture.js';

const MIB = 1_048_576;
const LIMITS = { max_body_bytes: 8 * MIB, compile_ms: 250 };

describe('hostile callers', () => {
  let gateway: ContractApp;
  let port: number;
  beforeAll(async () => {
    gateway = await startContractApp({ limits: LIMITS });
    await gateway.app.listen(0, '127.0.0.1');
    port = Number(new URL(await gateway.app.getUrl()).port);
  });
  afterAll(() => gateway.close());

  const headOf = (headers: string[]) =>
    [`POST ${CHAT} HTTP/1.1`, 'host: x', `authorization: Bearer ${gateway.writer.key}`, ...headers, '', ''].join(
      '\r\n',
    );

  /** All bytes of a connection until the peer closes it. */
  const answerOn = (socket: Socket) =>
    new Promise<string>((resolve, reject) => {
      const chunks: Buffer[] = [];
      socket.on('data', (chunk: Buffer) => chunks.push(chunk));
      socket.on('end', () => resolve(Buffer.concat(chunks).toString()));
      socket.on('error', reject);
    });

  it('send a decompression bomb, which is read up to the limit only', async () => {
    // Many small members make one stream of gzip, so that the bomb is quickly built.
    const bomb = Buffer.concat(Array(64).fill(gzipSync(Buffer.alloc(16 * MIB))));
    let peak = 0;
    const before = process.memoryUsage().arrayBuffers;
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().arrayBuffers)), 1);
    const { status, json } = await gateway.caller.post(CHAT, bomb, { headers: { 'content-encoding': 'gzip' } });
    clearInterval(watch);
    expect([status, json().error.code]).toEqual([413, 'body_too_large']);
    expect(peak - before).toBeLessThan(64 * MIB);
  });

  it('announce a body that is too large, and can read the response before the connection closes', async () => {
    const size = 9 * MIB;
    const socket = connect(port, '127.0.0.1');
    const answer = answerOn(socket);
    socket.write(headOf(['content-type: application/json', `content-length: ${size}`]));
    for (let sent = 0; sent < size; sent += MIB) socket.write(randomBytes(MIB));
    const text = await answer;
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
    expect(text.toLowerCase()).toContain('connection: close');
    expect(text).toContain('"code":"body_too_large"');
  });

  it('send a body of unknown length that never ends', async () => {
    const socket = connect(port, '127.0.0.1');
    const answer = answerOn(socket);
    socket.write(headOf(['content-type: application/json', 'transfer-encoding: chunked']));
    const chunk = `${MIB.toString(16)}\r\n${'x'.repeat(MIB)}\r\n`;
    const flood = setInterval(() => socket.writable && socket.writableLength < MIB && socket.write(chunk), 2);
    const text = await answer.finally(() => clearInterval(flood));
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
  });

  it('send a body too slowly, and get a 408', async () => {
    await gateway.configure(upstreamsOf(gateway.fake, { limits: { ...LIMITS, body_timeout_ms: 500, max_n: 1 } }));
    await until(async () => (await gateway.ask({ n: 2 })).status === 422, 'the new limits');
    const socket = connect(port, '127.0.0.1');
    const answer = answerOn(socket);
    socket.write(headOf(['content-type: application/json', 'content-length: 4000']));
    const drip = setInterval(() => socket.writable && socket.write(' '), 100);
    const text = await answer.finally(() => clearInterval(drip));
    socket.destroy();
    expect(text).toMatch(/^HTTP\/1\.1 408 /);
    expect(text.toLowerCase()).toContain('connection: close');
    expect(text).toContain('"code":"request_timeout"');
    await gateway.configure(upstreamsOf(gateway.fake, { limits: LIMITS }));
    await until(async () => (await gateway.ask({ n: 2 })).status === 200, 'the old limits');
  });

  it('leave while they send a body, without a leak', async () => {
    for (const coding of ['identity', 'gzip']) {
      const socket = connect(port, '127.0.0.1');
      socket.write(headOf(['content-type: application/json', `content-encoding: ${coding}`, 'content-length: 4000']));
      socket.write(gzipSync('x'.repeat(100)).subarray(0, 12));
      await new Promise((done) => setTimeout(done, 50));
      socket.destroy();
    }
    expect((await gateway.ask()).status).toBe(200);
  });

  it('send patterns that explode, while other callers are served', async () => {
    const explosive = [
      { structured_outputs: { regex: '(a+)+$' } },
      { structured_outputs: { regex: '(((a|b)?(c|d)?){0,200}){0,200}' } },
      { structured_outputs: { regex: '(a{1,900}){1,900}(b|a{1,900}){1,900}' } },
      { structured_outputs: { json: JSON.stringify(wideSchema(3_000)) } },
      { structured_outputs: { json: { $defs: { a: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' } } },
      {
        structured_outputs: {
          json: { $defs: { n: { type: 'object', properties: { n: { $ref: '#/$defs/n' } } } }, $ref: '#/$defs/n' },
        },
      },
      { structured_outputs: { json: nestedSchema(500) } },
      { response_format: { json_schema: { schema: { type: 'string', pattern: '^(x+x+)+y$' } } } },
      { tools: [{ function: { name: 'f', parameters: wideSchema(3_000) } }], tool_choice: 'required' },
    ];
    const hostile = Promise.all(explosive.map((fields) => gateway.ask({ ...fields, max_tokens: 40 })));
    const others = await Promise.all(Array.from({ length: 20 }, () => gateway.answer({ temperature: 0 })));
    expect(others.map((body) => textOf(body))).toEqual(Array(20).fill('cat'));
    for (const answer of await hostile) {
      expect([200, 400, 422, 500]).toContain(answer.status);
      // The prompt contains the tools.
      if (answer.status === 400) expect(answer.json().error.code).toBe('context_length_exceeded');
      if (answer.status === 422) expect(issuesOf(answer)).toHaveLength(1);
      // A constraint may allow no token: that is its own kind of failure, and no bug.
      if (answer.status === 500) expect(answer.json().error.code).toBe('constraint_dead_end');
    }
  });

  it('send a prompt without end', async () => {
    for (const messages of [said('x'.repeat(4 * MIB)), Array(20_000).fill(CAT.messages[0])]) {
      const { status, json } = await gateway.ask({ messages });
      expect([status, json().error.code]).toEqual([400, 'context_length_exceeded']);
    }
  });
});

const wideSchema = (count: number): object => ({
  type: 'object',
  properties: Object.fromEntries(Array.from({ length: count }, (_, at) => [`property-${at}`, { type: 'string' }])),
  required: Array.from({ length: count }, (_, at) => `property-${at}`),
});

function nestedSchema(depth: number): object {
  return depth === 0 ? { type: 'null' } : { type: 'array', items: nestedSchema(depth - 1) };
}

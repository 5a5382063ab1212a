import { once } from 'node:events';
import { createServer, request as httpRequest, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

import { CallEntry } from '../call-log/call-entry.js';
import { readLogHeaders } from '../call-log/log-headers.js';
import type { AnswerOutcome } from '../dispatch/answer/outcome.js';
import { ReplySink } from './reply-sink.js';

/** More than the socket buffers of an unread connection. */
const MEGABYTES = 64;
const HEADERS = { 'content-type': 'text/event-stream' };

const frameOf = (content: string): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;

describe('ReplySink', () => {
  let server: Server;
  let answer: (sink: ReplySink, response: ServerResponse) => unknown;
  beforeAll(async () => {
    server = createServer((_request, response) => {
      answer(new ReplySink(response, { 'x-request-id': 'r' }, async () => ({})), response);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const port = () => (server.address() as AddressInfo).port;

  /** All that comes for these bytes until the server closes the connection. */
  async function exchange(bytes: string): Promise<string> {
    const socket = connect(port(), '127.0.0.1');
    socket.write(bytes);
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString();
  }

  async function bodyOf(): Promise<Buffer> {
    const [response] = await once(httpRequest({ port: port(), host: '127.0.0.1' }).end(), 'response');
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  }

  const say = (...parts: string[]) => {
    answer = (sink) => {
      sink.commit(HEADERS);
      for (const part of parts.slice(0, -1)) sink.write(Buffer.from(part));
      sink.end(Buffer.from(parts.at(-1) as string));
    };
  };

  it('sends an answer on while nothing of its large call is written, and its end after that', async () => {
    const events: string[] = [];
    let write: (value: void) => void = () => undefined;
    const written = new Promise<void>((resolve) => (write = resolve));
    const entry = new CallEntry({
      ...{ uid: 'u', rid: 'r', projectId: 'a/b', user: null, level: 'full', isStream: true },
      ...{ headers: readLogHeaders(() => undefined), checkpoint: null, redaction: null },
      body: Buffer.from(JSON.stringify({ text: 'x'.repeat(1_048_576) })),
    });
    const frames = ['one', 'two'].map((content) => Buffer.from(frameOf(content)));
    answer = async (_sink, response) => {
      const record = async () => {
        await written;
        events.push('written');
        return {};
      };
      const sink = new ReplySink(response, {}, record, entry);
      sink.commit(HEADERS);
      sink.write(frames[0] as Buffer);
      await sink.settle({} as AnswerOutcome, frames[1] as Buffer);
      sink.end(frames[1] as Buffer);
    };
    const [response] = await once(httpRequest({ port: port(), host: '127.0.0.1' }).end(), 'response');
    for await (const chunk of response) {
      events.push((chunk as Buffer).toString().includes('one') ? 'first frame' : 'last frame');
      write();
    }
    expect(events).toEqual(['first frame', 'written', 'last frame']);
    const { inputs, output } = await entry.content();
    expect(inputs?.length).toBeGreaterThan(1_048_576);
    expect(output).toContain('"content":"onetwo"');
  });

  it('sends pieces of any size as one body, in order', async () => {
    const parts = ['a', 'b'.repeat(15), 'c'.repeat(16), 'é'.repeat(300), 'd'.repeat(70_000), 'end'];
    say(...parts);
    expect((await bodyOf()).toString()).toBe(parts.join(''));
  });

  it('sends them when they are written, turn by turn', async () => {
    let write!: (text: string) => void;
    answer = (sink) => {
      sink.commit(HEADERS);
      write = (text) => (text === 'end' ? sink.end(Buffer.from(text)) : sink.write(Buffer.from(text)));
      write('0');
    };
    const [response] = await once(httpRequest({ port: port(), host: '127.0.0.1' }).end(), 'response');
    expect(response.headers).toMatchObject({ 'x-request-id': 'r', 'transfer-encoding': 'chunked' });
    const said: string[] = [];
    const nextOf = response[Symbol.asyncIterator]();
    for (const text of ['0', '1', '2', 'end']) {
      if (text !== '0') write(text);
      said.push(String((await nextOf.next()).value));
    }
    expect(said).toEqual(['0', '1', '2', 'end']);
    expect((await nextOf.next()).done).toBe(true);
  });

  it('sends no chunks over HTTP/1.0', async () => {
    say('one ', 'two ', 'three');
    const text = await exchange('GET / HTTP/1.0\r\n\r\n');
    expect(text).not.toMatch(/transfer-encoding/i);
    expect(text.split('\r\n\r\n')[1]).toBe('one two three');
  });

  it('keeps pipelined answers in order', async () => {
    const sinks: ReplySink[] = [];
    const speak = (name: string) => {
      const sink = sinks[Number(name)] as ReplySink;
      sink.commit(HEADERS);
      for (const part of ['a', 'b', 'c']) sink.write(Buffer.from(name + part));
      sink.end(Buffer.from(`${name}.`));
    };
    answer = (sink) => {
      sinks.push(sink);
      if (sinks.length < 2) return;
      speak('1');
      speak('0');
    };
    const text = await exchange(
      'GET / HTTP/1.1\r\nHost: h\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n',
    );
    const bodies = text.split('HTTP/1.1 200 OK').slice(1);
    expect(bodies.map((body) => body.match(/\d[abc.]/g)?.join(''))).toEqual(['0a0b0c0.', '1a1b1c1.']);
  });

  it('reports backpressure and drain of a slow caller', async () => {
    const megabyte = Buffer.alloc(1_048_576, 'x');
    let drains = 0;
    let hadRoom = true;
    let onDrain: () => void = () => undefined;
    const drained = new Promise<void>((resolve) => (onDrain = resolve));
    const full = new Promise<ReplySink>((resolve) => {
      answer = (sink) => {
        sink.onDrain(() => (drains++, onDrain()));
        sink.commit(HEADERS);
        for (let count = 0; count < MEGABYTES; count++) hadRoom = sink.write(megabyte);
        resolve(sink);
      };
    });
    const socket = connect(port(), '127.0.0.1').pause();
    socket.write('GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
    const sink = await full;
    expect(hadRoom).toBe(false);
    expect(sink.pendingBytes).toBeGreaterThan(0);
    expect(drains).toBe(0);
    let bytes = 0;
    socket.on('data', (chunk: Buffer) => (bytes += chunk.length));
    socket.resume();
    await drained;
    expect(sink.pendingBytes).toBe(0);
    sink.end(Buffer.from('end'));
    await once(socket, 'close');
    expect(bytes).toBeGreaterThan(MEGABYTES * megabyte.length);
  });
});

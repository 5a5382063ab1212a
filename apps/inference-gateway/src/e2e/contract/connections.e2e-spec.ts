import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';

import { until } from '@hone/testing';

import { CAT, CHAT, type ContractApp, startContractApp } from './contract.fixture.js';

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const BODY = JSON.stringify(CAT);

describe('a connection', () => {
  let gateway: ContractApp;
  let server: Server;
  let port: number;
  const sockets: Socket[] = [];
  beforeAll(async () => {
    gateway = await startContractApp();
    await gateway.app.listen(0, '127.0.0.1');
    server = gateway.app.getHttpServer() as Server;
    port = Number(new URL(await gateway.app.getUrl()).port);
  });
  afterEach(() => sockets.splice(0).forEach((socket) => socket.destroy()));
  afterAll(() => gateway.close());

  /** A connection that has sent `text`, and all that it has received. */
  function open(text: string) {
    const socket = connect(port, '127.0.0.1');
    const opened = { socket, received: '', hasEnded: false };
    sockets.push(socket);
    socket.on('data', (bytes: Buffer) => (opened.received += bytes.toString()));
    socket.on('end', () => (opened.hasEnded = true)).on('error', () => (opened.hasEnded = true));
    socket.write(text);
    return opened;
  }
  const headOf = (line: string, ...headers: string[]) =>
    [`${line} HTTP/1.1`, 'host: x', 'content-type: application/json', ...headers, '', ''].join('\r\n');
  const expecting = (bytes: number, key: string, line = `POST ${CHAT}`) =>
    headOf(line, `authorization: Bearer ${key}`, `content-length: ${bytes}`, 'expect: 100-continue');

  it.each([
    ['a wrong key', () => expecting(BODY.length, 'hone_wrong'), '401'],
    ['a body that is too large', () => expecting(99_000_000, gateway.writer.key), '413'],
    ['a path that is unknown', () => expecting(BODY.length, gateway.writer.key, 'POST /v1/nope'), '404'],
  ])('is not asked for a body after %s', async (_, head, status) => {
    const opened = open(head());
    await until(() => opened.hasEnded, 'the end of the connection');
    expect(opened.received).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  // The second request comes from a caller who is known already.
  it('is asked for a body that is wanted', async () => {
    for (let count = 0; count < 2; count++) {
      const opened = open(expecting(BODY.length, gateway.writer.key));
      await until(() => opened.received === CONTINUE, '100 Continue');
      opened.socket.write(BODY);
      await until(() => opened.received.includes('"choices"'), 'the answer');
      expect(opened.received.slice(CONTINUE.length)).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    }
  });

  it('is asked for the body of other routes, too', async () => {
    const body = '{"requests_per_minute":"many"}';
    const opened = open(expecting(body.length, gateway.writer.key, 'PUT /v1/usage/limits'));
    await until(() => opened.received === CONTINUE, '100 Continue');
    opened.socket.write(body);
    await until(() => opened.received.includes('"detail"'), 'the answer');
    expect(opened.received).toMatch(/\r\n\r\nHTTP\/1.1 4\d\d /);
  });

  it('is closed soon when its headers do not arrive', async () => {
    expect(server.headersTimeout).toBe(10_000);
    server.headersTimeout = 50;
    const opened = open('POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\n');
    // Far below the half minute between two checks of Node's own.
    await until(() => opened.hasEnded, 'the end of the connection', 15_000);
    expect(opened.received).toMatch(/^HTTP\/1.1 408 /);
    server.headersTimeout = 10_000;
  });
});

import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

import { stopListening } from './stop-listening.js';

describe('stopListening', () => {
  it('serves every connection that there is already, and takes no more', async () => {
    const server = createServer((_request, response) => response.end('served'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const ask = (): Socket => {
      const socket = connect(port, '127.0.0.1');
      socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
      return socket;
    };
    const sockets = Array.from({ length: 40 }, ask);
    const answers = Promise.all(sockets.map((socket) => text(socket)));
    // The system has taken them all; the server has not come to most of them yet.
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    const stopped = stopListening(server);
    for (const answer of await answers) expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*served/);
    await stopped;
    const [error] = (await once(connect(port, '127.0.0.1'), 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNREFUSED');
  });

  it('ends the connections on which nothing runs', async () => {
    const server = createServer((_request, response) => response.end('served'));
    server.keepAliveTimeout = 0; // it would keep them for ever
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const answer = text(socket); // until the connection ends: the client keeps it
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    await once(server, 'request');
    await once(socket, 'readable');
    await stopListening(server);
    expect(await answer).toMatch(/^HTTP\/1\.1 200 [^]*served/);
  });
});

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

import { freePort } from './free-port.js';

describe('freePort', () => {
  it('finds a port on which a server can listen', async () => {
    const port = await freePort();
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    server.close();
  });

  it('keeps it from others until the process ends', async () => {
    const port = await freePort();
    const other = createSocket('udp4');
    other.bind({ port, address: '127.0.0.1', exclusive: true });
    const [error] = (await once(other, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('EADDRINUSE');
    other.close();
  });
});

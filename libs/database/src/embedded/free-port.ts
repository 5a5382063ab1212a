import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

const HOST = '127.0.0.1';

/**
 * A port on 127.0.0.1 that nothing listens on, of those that systems do not give to outgoing connections (from 32768
 * on Linux): one of those could take it before the server listens, or while the server is started again. No other process
 * that asks here gets it as long as this one lives.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_700);
    if ((await isFree(port)) && (await reserve(port))) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    server.listen(port, HOST, () => server.close(() => resolve(true)));
  });
}

/** Servers listen seconds after their port was found. The UDP port of the same number, which nobody needs, says that it is taken. */
function reserve(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const lock = createSocket('udp4');
    lock.once('error', () => lock.close(() => resolve(false)));
    lock.bind({ port, address: HOST, exclusive: true }, () => {
      lock.unref();
      resolve(true);
    });
  });
}

import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Connections that were opened and never asked for anything, as browsers keep ready. `closeIdleConnections` leaves them
 * alone, so that one of them would hold a stop up to its very end.
 *
 * @returns closes those there are
 */
export function trackUnusedConnections(server: Server): () => void {
  const unused = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  // Not the socket's data: a listener for it takes Node off its fast path.
  server.on('request', ({ socket }: IncomingMessage) => unused.delete(socket));
  return () => unused.forEach((socket) => socket.destroy());
}

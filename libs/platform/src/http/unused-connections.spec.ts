import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

import { trackUnusedConnections } from './unused-connections.js';

describe('trackUnusedConnections', () => {
  it('closes what never asked, and leaves a request alone', async () => {
    let answer = (): void => undefined;
    const server = createServer((_request, response) => {
      answer = () => response.end('late');
      server.emit('asked');
    });
    const closeUnused = trackUnusedConnections(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;

    const silent = connect(port, '127.0.0.1');
    await once(server, 'connection');
    const asked = once(server, 'asked');
    const answered = fetch(`http://127.0.0.1:${port}`).then((response) => response.text());
    await asked;
    const silentClosed = once(silent, 'close');
    closeUnused();
    await silentClosed;
    answer();
    expect(await answered).toBe('late');
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
});

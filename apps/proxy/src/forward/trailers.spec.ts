import { createServer, type IncomingMessage, request as send, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { type Rig, startRig } from '../testing/rig.js';

describe('trailers of an answer', () => {
  let rig: Rig;
  let service: Server;
  afterEach(async () => {
    await rig.stop();
    service.closeAllConnections();
    service.close();
  });

  it('reach the client after the last byte', async () => {
    service = createServer((_request, response) => {
      response.writeHead(200, { trailer: 'x-row-count, x-skipped' });
      response.write('a\n');
      response.addTrailers({ 'x-row-count': '1', 'x-skipped': '2' });
      response.end();
    });
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    rig = await startRig({ trace: [`http://127.0.0.1:${(service.address() as AddressInfo).port}`] });
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      send(`${rig.url}/objs/query`, { method: 'POST', agent: false }, resolve).on('error', reject).end('{}');
    });
    expect(await text(answer)).toBe('a\n');
    expect(answer.trailers).toEqual({ 'x-row-count': '1', 'x-skipped': '2' });
  });
});

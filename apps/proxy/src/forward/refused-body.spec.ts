import { once } from 'node:events';
import { connect } from 'node:net';

import { type Rig, startRig } from '../testing/rig.js';

describe('a body that a service refuses', () => {
  let rig: Rig;
  afterEach(() => rig.stop());

  it('closes the connection of a client whose body a service gave up on', async () => {
    const body = '{"detail":"The body did not come in time."}';
    rig = await startRig({
      'inference-gateway': [
        (request, response) => {
          request.once('data', () => response.writeHead(408, { connection: 'close' }).end(body));
        },
      ],
    });
    const socket = connect(rig.port, '127.0.0.1');
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.write('POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: 4000\r\n\r\n{');
    const drip = setInterval(() => socket.writable && socket.write(' '), 50);
    await once(socket, 'end').finally(() => clearInterval(drip));
    socket.destroy();
    expect(text).toMatch(/^HTTP\/1.1 408 /);
    expect(text.toLowerCase()).toContain('connection: close');
    expect(text).toContain(body);
  });
});

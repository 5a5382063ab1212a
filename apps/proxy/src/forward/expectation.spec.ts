import { createServer, type IncomingMessage, request as send, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { DEAD_URL, type Rig, startRig } from '../testing/rig.js';

const PATH = '/v1/chat/completions';
const BODY = 'x'.repeat(100_000);

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

interface Outcome {
  status: number;
  text: string;
  connection: string | undefined;
  isContinued: boolean;
}

describe('a request that waits for 100 Continue', () => {
  let rig: Rig;
  let service: Server;
  let received: string[];
  afterEach(async () => {
    await rig.stop();
    service?.closeAllConnections();
    service?.close();
  });

  /** A service that decides by itself whether it wants a body. */
  async function start(handle: Handle, before: string[] = [], waitMs = 0): Promise<void> {
    received = [];
    service = createServer().on('checkContinue', handle).on('request', handle);
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    rig = await startRig({ 'inference-gateway': [...before, url] }, { waitMs });
  }

  const take: Handle = (request, response) => {
    if (request.headers.expect !== undefined) response.writeContinue();
    void text(request).then((body) => {
      received.push(body);
      response.end('taken');
    });
  };

  /** Sends the body only when it is asked for. */
  const ask = (): Promise<Outcome> =>
    new Promise((resolve, reject) => {
      let isContinued = false;
      const headers = { expect: '100-continue', 'content-length': BODY.length };
      const request = send(`${rig.url}${PATH}`, { method: 'POST', headers, agent: false });
      request.once('continue', () => {
        isContinued = true;
        request.end(BODY);
      });
      request.once('response', (response) => {
        const { statusCode: status = 0, headers: answered } = response;
        text(response).then((all) => {
          resolve({ status, text: all, connection: answered.connection, isContinued });
          request.destroy();
        }, reject);
      });
      request.once('error', reject);
      request.flushHeaders();
    });

  it('is asked for its body when the service asks, and for nothing before', async () => {
    await start(take);
    expect(await ask()).toMatchObject({ status: 200, text: 'taken', isContinued: true });
    expect(received).toEqual([BODY]);
  });

  it.each([401, 413])('is refused with %i before it has sent anything', async (status) => {
    await start((_request, response) => void response.writeHead(status, { connection: 'close' }).end('no'));
    expect(await ask()).toEqual({ status, text: 'no', connection: 'close', isContinued: false });
  });

  it('goes to another replica when one is down', async () => {
    await start(take, [DEAD_URL]);
    for (const _time of [1, 2]) expect(await ask()).toMatchObject({ status: 200, isContinued: true });
    expect(received).toEqual([BODY, BODY]);
  });

  it('is a 502 when the service leaves amid the body, and is not sent again', async () => {
    let times = 0;
    await start((request, response) => {
      times++;
      response.writeContinue();
      request.once('data', () => request.destroy());
    });
    expect(await ask()).toMatchObject({ status: 502, isContinued: true });
    expect(times).toBe(1);
  });

  it('is a 503 when no service is there', async () => {
    rig = await startRig({ 'inference-gateway': [DEAD_URL] });
    expect(await ask()).toMatchObject({ status: 503 });
  });
});

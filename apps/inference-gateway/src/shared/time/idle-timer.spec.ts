import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

import { SYSTEM_CLOCK } from './clock.js';
import { FakeClock } from './fake-clock.fixture.js';
import { IdleTimer } from './idle-timer.js';

async function connectedSockets(): Promise<[Socket, Socket]> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const there = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [here] = (await once(server, 'connection')) as [Socket];
  server.close();
  return [here, there];
}

describe('the idle timer', () => {
  const start = () => {
    const clock = new FakeClock();
    const timer = new IdleTimer(clock);
    let fired = 0;
    timer.start(100, () => fired++);
    return { clock, timer, fired: () => fired };
  };

  it('fires once after the limit without a touch', async () => {
    const { clock, timer, fired } = start();
    await clock.advance(90);
    timer.touch();
    await clock.advance(99);
    expect(fired()).toBe(0);
    await clock.advance(1);
    expect(fired()).toBe(1);
  });

  it('counts no time while it is paused', async () => {
    const { clock, timer, fired } = start();
    timer.pause();
    await clock.advance(1_000);
    timer.resume();
    await clock.advance(50);
    expect(fired()).toBe(0);
    await clock.advance(200);
    expect(fired()).toBe(1);
  });

  it('stays paused when it is started again', async () => {
    const { clock, timer, fired } = start();
    timer.pause();
    timer.start(100, () => expect(true).toBe(false));
    await clock.advance(1_000);
    expect(fired()).toBe(0);
  });

  it('does not fire after it was stopped', async () => {
    const { clock, timer, fired } = start();
    timer.stop();
    await clock.advance(1_000);
    expect(fired()).toBe(0);
  });

  it('lets sockets be read after a freeze of the process before it fires', async () => {
    let isSilent = false;
    const [here, there] = await connectedSockets();
    const timer = new IdleTimer(SYSTEM_CLOCK);
    here.on('data', () => timer.touch());
    timer.start(50, () => (isSilent = true));
    await new Promise<void>((resolve) => there.write('x', () => resolve()));
    const endMs = performance.now() + 100;
    while (performance.now() < endMs); // nothing runs, and nothing is read
    await new Promise((resolve) => setTimeout(resolve, 0));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isSilent).toBe(false);
    timer.stop();
    for (const socket of [here, there]) socket.destroy();
  });
});

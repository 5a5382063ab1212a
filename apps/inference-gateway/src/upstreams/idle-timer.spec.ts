import { FakeClock } from './fake-clock.fixture.js';
import { IdleTimer } from './idle-timer.js';

describe('the idle timer', () => {
  const start = () => {
    const clock = new FakeClock();
    const timer = new IdleTimer(clock);
    let fired = 0;
    timer.start(100, () => fired++);
    return { clock, timer, fired: () => fired };
  };

  it('fires once the limit has passed without a sign of life', async () => {
    const { clock, timer, fired } = start();
    await clock.advance(90);
    timer.touch();
    await clock.advance(99);
    expect(fired()).toBe(0);
    await clock.advance(1);
    expect(fired()).toBe(1);
  });

  it('lets no time pass while it is paused', async () => {
    const { clock, timer, fired } = start();
    timer.pause();
    await clock.advance(1_000);
    timer.resume();
    await clock.advance(50);
    expect(fired()).toBe(0);
    await clock.advance(200);
    expect(fired()).toBe(1);
  });

  it('stays paused when it is set anew', async () => {
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
});

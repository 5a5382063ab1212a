import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { isOwnerAlive, newOwnerName } from './journal-owner.js';

const MINUTE_MS = 60_000;

describe('the owner of a journal', () => {
  const own = newOwnerName();
  const parts = own.split('.');
  const named = (index: number, part: string) => parts.map((own, at) => (at === index ? part : own)).join('.');

  it('has a distinct name for each journal', () => expect(newOwnerName()).not.toBe(own));

  it('is alive as long as its process, even without a heartbeat', () => {
    expect(isOwnerAlive(own, 0, 1_000 * MINUTE_MS)).toBe(true);
  });

  it('is dead when its process has ended, even after a recent heartbeat', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    const { pid } = child;
    await once(child, 'exit');
    expect(isOwnerAlive(named(2, String(pid)), 0, 0)).toBe(false);
  });

  it('is dead when another process has its pid', () => {
    expect(isOwnerAlive(named(3, '17'), 0, 0)).toBe(false);
  });

  it.each([
    ['on another machine', 0],
    ['in another container', 1],
  ])('%s lives until it has been silent for a minute', (_where, index) => {
    const name = named(index, '99');
    expect(isOwnerAlive(name, 0, MINUTE_MS - 1)).toBe(true);
    expect(isOwnerAlive(name, 0, MINUTE_MS)).toBe(false);
  });

  it('is dead in a released folder', () => expect(isOwnerAlive('free-abc', 0, 0)).toBe(false));
});

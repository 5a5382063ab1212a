import type { Database, NotificationListener } from '@hone/database';
import { jest } from '@jest/globals';

import type { KeyRepository } from './key.repository.js';
import { KeyStore } from './key-store.js';
import { PresentedKey } from './presented-key.js';
import type { Principal } from './principal.js';
import type { SessionRepository } from './session.repository.js';

const ADA = { userId: 'ada-id', username: 'ada', keyId: 'k1', expiresAt: null } as Principal;

/** A key store whose database and notifications are in the test's hands. */
async function withFakes(found: (hash: Buffer) => Promise<Principal | null>) {
  let announce: (userId: string) => void = () => undefined;
  let gap: () => void = () => undefined;
  const repository = { findPrincipal: jest.fn(found), touch: jest.fn(async (_keyId: string) => undefined) };
  const database = {
    notify: jest.fn(async (_channel: string, _payload: string) => undefined),
    afterCommit: (effect: () => void) => effect(),
    detached: <T>(work: () => Promise<T>) => work(),
  };
  const notifications = {
    onGap: (handler: () => void) => (gap = handler),
    listen: async (_channel: string, handler: (userId: string) => void) => (announce = handler),
  };
  const keys = new KeyStore(
    repository as unknown as KeyRepository,
    { extend: async () => undefined } as unknown as SessionRepository,
    database as unknown as Database,
    notifications as unknown as NotificationListener,
  );
  await keys.onModuleInit();
  return { keys, repository, database, announce: (userId: string) => announce(userId), gap: () => gap() };
}

/** For a block of tests: a clock that stands as far ahead as they let time pass. */
function useShiftedClock(): (time: { minutes?: number; seconds?: number }) => void {
  const realNow = Date.now;
  let passedMs = 0;
  beforeEach(() => {
    passedMs = 0;
    jest.spyOn(Date, 'now').mockImplementation(() => realNow() + passedMs);
  });
  afterEach(() => jest.restoreAllMocks());
  return ({ minutes = 0, seconds = 0 }) => (passedMs += (minutes * 60 + seconds) * 1_000);
}

describe('KeyStore', () => {
  it('asks the database once per key', async () => {
    const { keys, repository } = await withFakes(async () => ADA);
    expect([await keys.find('a'), await keys.find('a')]).toEqual([ADA, ADA]);
    expect(repository.findPrincipal).toHaveBeenCalledTimes(1);
    await keys.find('b');
    expect(repository.findPrincipal).toHaveBeenCalledTimes(2);
  });

  it('does not remember that a key is unknown: it may be made a moment later', async () => {
    const { keys, repository } = await withFakes(async () => null);
    repository.findPrincipal.mockResolvedValueOnce(null);
    expect(await keys.find('a')).toBeNull();
    repository.findPrincipal.mockResolvedValueOnce(ADA);
    expect(await keys.find('a')).toBe(ADA);
  });

  it('coalesces concurrent look-ups of a key', async () => {
    const { keys, repository } = await withFakes(async () => ADA);
    expect(await Promise.all([keys.find('a'), keys.find('a'), keys.find('a')])).toEqual([ADA, ADA, ADA]);
    expect(repository.findPrincipal).toHaveBeenCalledTimes(1);
  });

  it('looks a key up again after a shared look-up found nothing', async () => {
    const { keys, repository } = await withFakes(async () => ADA);
    repository.findPrincipal.mockResolvedValueOnce(null);
    expect(await Promise.all([keys.find('a'), keys.find('a')])).toEqual([null, ADA]);
  });

  it('does not serve what was read before a change to callers after it', async () => {
    let release: (found: Principal) => void = () => undefined;
    const { keys, repository, announce } = await withFakes(async () => null);
    repository.findPrincipal.mockReturnValueOnce(new Promise((resolve) => (release = resolve)));
    const before = keys.find('a');
    announce('ada-id');
    const after = keys.find('a');
    release(ADA);
    expect([await before, await after]).toEqual([ADA, null]);
  });

  describe('with a key that is used again and again', () => {
    const pass = useShiftedClock();

    it('refreshes it before it expires, once, in the background', async () => {
      const { keys, repository } = await withFakes(async () => ADA);
      const key = new PresentedKey('a');
      await keys.find(key);
      pass({ seconds: 19 });
      keys.recall(key);
      expect(repository.findPrincipal).toHaveBeenCalledTimes(1);
      pass({ seconds: 2 });
      const GRACE = { ...ADA, username: 'grace' };
      repository.findPrincipal.mockResolvedValueOnce(GRACE);
      expect([keys.recall(key), keys.recall(key)]).toEqual([ADA, ADA]);
      await new Promise(setImmediate);
      expect(keys.recall(key)).toBe(GRACE);
      pass({ seconds: 19 });
      expect(keys.recall(key)).toBe(GRACE);
      expect(repository.findPrincipal).toHaveBeenCalledTimes(2);
    });

    it('serves the known value until it expires when the refresh fails', async () => {
      const { keys, repository } = await withFakes(async () => ADA);
      const key = new PresentedKey('a');
      await keys.find(key);
      repository.findPrincipal.mockRejectedValueOnce(new Error('broken'));
      pass({ seconds: 21 });
      expect(keys.recall(key)).toBe(ADA);
      await new Promise(setImmediate);
      expect(keys.recall(key)).toBe(ADA);
      expect(repository.findPrincipal).toHaveBeenCalledTimes(2);
      pass({ seconds: 10 });
      expect(keys.recall(key)).toBeUndefined();
    });

    it('no longer knows one that was revoked', async () => {
      const { keys, repository } = await withFakes(async () => ADA);
      const key = new PresentedKey('a');
      await keys.find(key);
      repository.findPrincipal.mockResolvedValueOnce(null);
      pass({ seconds: 21 });
      keys.recall(key);
      await new Promise(setImmediate);
      expect(keys.recall(key)).toBeUndefined();
    });
  });

  it('asks again about a user who changed, and only about them', async () => {
    const BOB = { ...ADA, userId: 'bob-id', keyId: 'k2' };
    const { keys, repository, announce } = await withFakes(async () => ADA);
    repository.findPrincipal.mockResolvedValueOnce(ADA).mockResolvedValueOnce(BOB);
    await keys.find('a');
    await keys.find('b');
    announce('ada-id');
    await keys.find('a');
    await keys.find('b');
    expect(repository.findPrincipal).toHaveBeenCalledTimes(3);
  });

  it('forgets a change of its own without waiting for the notification', async () => {
    const { keys, repository, database } = await withFakes(async () => ADA);
    await keys.find('a');
    await keys.announceChange('ada-id');
    expect(database.notify).toHaveBeenCalledWith('hone_auth', 'ada-id');
    await keys.find('a');
    expect(repository.findPrincipal).toHaveBeenCalledTimes(2);
  });

  it('forgets everything when notifications may have been missed', async () => {
    const { keys, repository, gap } = await withFakes(async () => ADA);
    await keys.find('a');
    gap();
    await keys.find('a');
    expect(repository.findPrincipal).toHaveBeenCalledTimes(2);
  });

  describe('while the database is unavailable', () => {
    const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const pass = useShiftedClock();

    it('goes on with what it knows, and does not ask for each request', async () => {
      const { keys, repository, gap } = await withFakes(async () => ADA);
      await keys.find('a');
      repository.findPrincipal.mockRejectedValue(away);
      gap();
      expect([await keys.find('a'), await keys.find('a')]).toEqual([ADA, ADA]);
      expect(repository.findPrincipal).toHaveBeenCalledTimes(2);
      pass({ minutes: 9 });
      expect(await keys.find('a')).toBe(ADA);
    });

    it('knows no key that it has not seen, none that was changed, and none for ever', async () => {
      const { keys, repository, announce } = await withFakes(async () => ADA);
      await keys.find('a');
      repository.findPrincipal.mockRejectedValue(away);
      await expect(keys.find('c')).rejects.toBe(away);
      announce('ada-id');
      await expect(keys.find('a')).rejects.toBe(away);
      repository.findPrincipal.mockResolvedValueOnce(ADA);
      await keys.find('b');
      pass({ minutes: 11 });
      await expect(keys.find('b')).rejects.toBe(away);
    });

    it('refuses a key that turns out to be revoked once the database is back', async () => {
      const { keys, repository, gap } = await withFakes(async () => ADA);
      await keys.find('a');
      repository.findPrincipal.mockRejectedValueOnce(away).mockResolvedValue(null);
      gap();
      expect(await keys.find('a')).toBe(ADA);
      gap();
      expect(await keys.find('a')).toBeNull();
    });
  });

  it('does not keep what it read before a change that came while it was reading', async () => {
    let release: (found: Principal) => void = () => undefined;
    const { keys, repository, announce } = await withFakes(async () => ADA);
    repository.findPrincipal.mockReturnValueOnce(new Promise((resolve) => (release = resolve)));
    const reading = keys.find('a');
    announce('ada-id');
    release(ADA);
    await reading;
    await keys.find('a');
    expect(repository.findPrincipal).toHaveBeenCalledTimes(2);
  });

  it('refuses a cached key once it has expired', async () => {
    const now = jest.spyOn(Date, 'now');
    const expiring = { ...ADA, expiresAt: new Date(Date.now() + 60_000) };
    const { keys } = await withFakes(async () => expiring);
    expect(await keys.find('a')).toBe(expiring);
    now.mockReturnValue(expiring.expiresAt.getTime());
    expect(await keys.find('a')).toBeNull();
    now.mockRestore();
  });

  it('notes the use of a key at most once a minute, and again when that failed', async () => {
    const { keys, repository } = await withFakes(async () => ADA);
    repository.touch.mockRejectedValueOnce(new Error('database away'));
    await keys.find('a');
    await new Promise((resolve) => setImmediate(resolve));
    await keys.find('a');
    await keys.find('a');
    expect(repository.touch).toHaveBeenCalledTimes(2);
  });
});

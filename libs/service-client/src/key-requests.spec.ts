import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { KeyStore, SessionRepository } from '@hone/auth';
import type { Database } from '@hone/database';

import { KeyRequests } from './key-requests.js';
import { KeyEndedError } from './service-errors.js';

const KEY = '019bc119-0100-7a3e-9d2a-5f0e8a1b2c3d';

describe('KeyRequests', () => {
  /** Tokens of sessions that were committed: other processes know no others. */
  const committed = new Set<string>();
  let isDetached = false;
  let opened = 0;
  let server: Server;
  let url: string;
  beforeAll(async () => {
    server = createServer(({ headers }, answer) => {
      const [, token = ''] = /hone_session=([^;]*)/.exec(headers.cookie ?? '') ?? [];
      answer.writeHead(committed.has(token) ? 200 : 401).end(token);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  /** All that is opened within a transaction is not committed yet. */
  const withKey = (key: object | null): KeyRequests =>
    new KeyRequests(
      { findById: () => Promise.resolve(key) } as unknown as KeyStore,
      {
        open: () => {
          const secret = `token-${++opened}`;
          if (isDetached) committed.add(secret);
          return Promise.resolve({ secret });
        },
      } as unknown as SessionRepository,
      {
        detached: async (work: () => Promise<unknown>) => {
          isDetached = true;
          return work().finally(() => (isDetached = false));
        },
      } as unknown as Database,
    );
  const ask = (requests: KeyRequests) =>
    requests.ask(KEY, {
      ...{ method: 'GET', url, signal: AbortSignal.timeout(5_000), patienceMs: 0, maxAnswerBytes: 100 },
      ...{ name: 'It', unreachable: 'unreachable' },
    });

  it('opens a session that the asked service sees, and keeps it', async () => {
    const requests = withKey({});
    const { status, text } = await ask(requests);
    expect(status).toBe(200);
    expect((await ask(requests)).text).toBe(text);
  });

  it('opens another one where it was ended', async () => {
    const requests = withKey({});
    const { text } = await ask(requests);
    committed.clear();
    const again = await ask(requests);
    expect(again.status).toBe(200);
    expect(again.text).not.toBe(text);
  });

  it('says that the key has ended', async () => {
    await expect(ask(withKey(null))).rejects.toThrow(KeyEndedError);
  });
});

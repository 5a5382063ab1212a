import type { InferenceSession } from 'onnxruntime-node';

/** Sessions that are opened when they are first needed, by a key. */
export class SessionCache<Key> {
  private readonly sessions = new Map<Key, Promise<InferenceSession>>();

  constructor(private readonly open: (key: Key) => Promise<InferenceSession>) {}

  get(key: Key): Promise<InferenceSession> {
    let session = this.sessions.get(key);
    if (session === undefined) {
      session = this.open(key);
      this.sessions.set(key, session);
    }
    return session;
  }

  async release(): Promise<void> {
    const sessions = await Promise.all(this.sessions.values());
    await Promise.all(sessions.map((session) => session.release()));
  }
}

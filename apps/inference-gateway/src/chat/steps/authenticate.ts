import { Injectable } from '@nestjs/common';

import { CallerStore } from '../../http/caller-store.js';
import type { ChatContext, ChatStep } from '../chat-context.js';

/** Finds the caller by the key, or by the session of a browser. @throws what {@link CallerStore.get} throws */
@Injectable()
export class Authenticate implements ChatStep {
  constructor(private readonly callers: CallerStore) {}

  run(chat: ChatContext): void | Promise<void> {
    if (chat.caller === undefined) return this.callers.get(chat.exchange).then((caller) => void (chat.caller = caller));
  }
}

import type { Door } from './door.js';
import { readChatRequest } from './read-chat-request.js';

/** Chat completions themselves: nothing is translated. */
export const CHAT_DOOR: Door = { idPrefix: 'chatcmpl-', read: readChatRequest };

import { parseChatRequest } from './body/parse-chat-request.js';
import type { Door } from './chat-context.js';

/** Chat completions themselves: nothing is translated. */
export const CHAT_DOOR: Door = { read: parseChatRequest, sink: (reply) => reply };

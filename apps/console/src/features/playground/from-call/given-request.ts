import { isJsonObject } from '@hone/client';

import { toExchange } from '../../../shared/chat/exchange.js';
import type { ChatRequest } from './chat-request.js';
import { fromMessages } from './from-messages.js';
import { fromResponses } from './from-responses.js';
import { type GivenChat, toGivenChat } from './given-chat.js';

/** A call with all that it holds. */
export interface WholeCall {
  readonly inputs: unknown;
  readonly output: unknown;
  readonly attributes: unknown;
}

const NAMES_OF_DOORS = { chat: '', responses: 'responses', messages: 'messages' } as const;
const READERS = { responses: fromResponses, messages: fromMessages };

/** What the playground takes over of a call, whose inputs have the form of any API; it asks through the same. */
export function toGivenRequest({ inputs, output, attributes }: WholeCall): GivenChat {
  const form = toExchange(inputs, output)?.form ?? 'chat';
  const door = form === 'chat' ? loggedDoor(attributes) : NAMES_OF_DOORS[form];
  const request: ChatRequest | null = form !== 'chat' && isJsonObject(inputs) ? READERS[form](inputs) : null;
  const { fields, earlier, leftOut } = toGivenChat(request?.inputs ?? inputs);
  return {
    fields: { ...fields, ...(door !== '' && { api: door }) },
    earlier,
    leftOut: [...(request?.leftOut ?? []), ...leftOut],
  };
}

/** The gateway keeps each request as a chat completion, and says where it was a response. */
function loggedDoor(attributes: unknown): string {
  const door = isJsonObject(attributes) ? attributes['door'] : undefined;
  return isJsonObject(door) && door['name'] === NAMES_OF_DOORS.responses ? NAMES_OF_DOORS.responses : '';
}

import { toMessages, userTurn } from '../conversation.js';
import type { AskedChat } from '../doors/door.js';
import { toRequest } from '../parameters/request.js';
import type { GivenChat } from './given-chat.js';

/** What the playground asks once its fields are filled in, without a change of them. */
export function askedWith({ fields, earlier }: GivenChat): AskedChat {
  const { api: _, system = '', message, tools = '', schema = '', parameters = '', logprobs, ...rest } = fields;
  const { model = '', ...numbers } = rest;
  const turns = message === undefined ? earlier : [...earlier, userTurn(message)];
  const filledIn = { numbers, tools, schema, others: parameters, isProbable: logprobs !== undefined };
  return { model, messages: toMessages(system, turns), parameters: toRequest(filledIn) };
}

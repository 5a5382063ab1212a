import { CountTokensRequestDto, type Issue, MessagesRequestDto } from '@hone/contracts';

import type { ParsedRequest } from '../../chat/body/parse-chat-request.js';
import type { Door } from '../../chat/door.js';
import { InvalidRequestError } from '../../shared/errors/gateway-error.js';
import type { RequestLimits } from '../../shared/gateway-settings.js';
import { readDoorBody, toParsedRequest } from '../translation/read-door-body.js';
import { TranslatedSink } from '../translation/translated-sink.js';
import { toMessageError } from './answer/message-error.js';
import { MessageForm } from './answer/message-form.js';
import { toMessageLoc } from './request/field-locations.js';
import { type AskedMessage, toChatFields } from './request/to-chat-fields.js';

const FORM = { idPrefix: 'msg_', idHeader: 'request-id', toError: toMessageError };

/** Anthropic's Messages. */
export const MESSAGES_DOOR: Door = {
  ...FORM,
  read(body, limits, minPriority) {
    const asked = readDoorBody(MessagesRequestDto, body);
    return {
      ...toChat(asked, limits, minPriority),
      toSink: (reply, { rid }) => new TranslatedSink(reply, new MessageForm(asked, rid), asked.stream === true),
    };
  },
};

/** Counts of the tokens of their prompts. */
export const COUNT_DOOR: Door = {
  ...FORM,
  read: (body, limits, minPriority) => toChat(readDoorBody(CountTokensRequestDto, body), limits, minPriority),
};

function toChat(
  asked: AskedMessage,
  limits: RequestLimits,
  minPriority: number,
): ParsedRequest & { toLoc(loc: Issue['loc']): Issue['loc'] } {
  const { fields, conversation } = toChatFields(asked);
  const toLoc = (loc: Issue['loc']) => toMessageLoc(loc, conversation.origins);
  try {
    return { ...toParsedRequest(fields, limits, minPriority), toLoc };
  } catch (error) {
    throw error instanceof InvalidRequestError ? error.relocated(toLoc) : error;
  }
}

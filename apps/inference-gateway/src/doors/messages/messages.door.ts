import { CountTokensRequestDto, type Issue, MessagesRequestDto } from '@hone/contracts';

import type { Door, DoorRequest } from '../../chat/door.js';
import { InvalidRequestError } from '../../shared/errors/gateway-error.js';
import type { RequestLimits } from '../../shared/gateway-settings.js';
import { MessageToChat } from '../../wire/messages/message-to-chat.js';
import { carry } from '../translation/carry.js';
import { NativeAnswer, type NativeForm } from '../translation/native-answer.js';
import { readDoorBody, toParsedRequest } from '../translation/read-door-body.js';
import { TranslatedSink } from '../translation/translated-sink.js';
import { toMessageError } from './answer/message-error.js';
import { MessageForm } from './answer/message-form.js';
import { toMessageLoc } from './request/field-locations.js';
import { type AskedMessage, toChatFields } from './request/to-chat-fields.js';

const FORM = { idPrefix: 'msg_', idHeader: 'request-id', toError: toMessageError };

/** Callers name the version of the interface, and what of it is in beta. */
const HEADERS = ['anthropic-version', 'anthropic-beta'];

/** Anthropic's Messages. */
export const MESSAGES_DOOR: Door = {
  ...FORM,
  read(body, limits, minPriority) {
    const asked = readDoorBody(MessagesRequestDto, body);
    return {
      ...toChat(asked, body, limits, minPriority),
      toSink: (reply, { rid, isKept }) =>
        new TranslatedSink(
          reply,
          new MessageForm(asked, rid),
          asked.stream === true,
          new NativeAnswer(nativeForm(asked, rid), isKept),
        ),
    };
  },
};

/** Counts of the tokens of their prompts. */
export const COUNT_DOOR: Door = {
  ...FORM,
  read: (body, limits, minPriority) => toChat(readDoorBody(CountTokensRequestDto, body), body, limits, minPriority),
};

/** What is left of a request of which nothing can be carried. */
const NO_MESSAGE = { messages: [{ role: 'user', content: '' }] };

function toChat(asked: AskedMessage, body: Buffer, limits: RequestLimits, minPriority: number): DoorRequest {
  let toLoc = (loc: Issue['loc']) => loc;
  const { value, refusal } = carry(asked, NO_MESSAGE, (carried) => {
    const { fields, conversation } = toChatFields(carried);
    toLoc = (loc) => toMessageLoc(loc, conversation.origins);
    try {
      return toParsedRequest(fields, limits, minPriority);
    } catch (error) {
      throw error instanceof InvalidRequestError ? error.relocated(toLoc) : error;
    }
  });
  return { ...value, refusal, toLoc, native: { endpoint: 'messages', fields: asked, body, headerNames: HEADERS } };
}

const nativeForm = ({ model }: AskedMessage, rid: string): NativeForm => ({
  translator: () => new MessageToChat(`chatcmpl-${rid}`, model, false),
  failAfter: (failure) => new MessageForm({ model }, rid).fail(failure),
});

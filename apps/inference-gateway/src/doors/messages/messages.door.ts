import { CountTokensRequestDto, isJsonObject, type Issue, MessagesRequestDto } from '@hone/contracts';

import { located } from '../../chat/body/located.js';
import type { Door, DoorRequest, NativeRequest } from '../../chat/door.js';
import type { FilledPrompt } from '../../chat/prompts/filled-prompt.js';
import type { RequestLimits } from '../../shared/gateway-settings.js';
import { MessageToChat } from '../../wire/messages/message-to-chat.js';
import { carry } from '../translation/carry.js';
import { NativeAnswer, type NativeForm } from '../translation/native-answer.js';
import { nativeUnlessPrompted, readPromptedBody, toParsedRequest } from '../translation/read-door-body.js';
import { TranslatedSink } from '../translation/translated-sink.js';
import { toMessageError } from './answer/message-error.js';
import { MessageForm } from './answer/message-form.js';
import { toMessageLoc } from './request/field-locations.js';
import { type AskedMessage, toChatFields } from './request/to-chat-fields.js';

const FORM: Omit<Door, 'read'> = {
  idPrefix: 'msg_',
  idHeader: 'request-id',
  toError: toMessageError,
  userOf: ({ metadata }) => (isJsonObject(metadata) ? metadata['user_id'] : null),
};

/** Callers name the version of the interface, and what of it is in beta. */
const HEADERS = ['anthropic-version', 'anthropic-beta'];

/** Anthropic's Messages. */
export const MESSAGES_DOOR: Door = {
  ...FORM,
  read: (body, limits, minPriority, context) =>
    readPromptedBody(MessagesRequestDto, body, context, (asked, prompt) => ({
      ...toChat({ asked, body, prompt }, limits, minPriority),
      toSink: (reply, { rid, isKept }) =>
        new TranslatedSink(
          reply,
          new MessageForm(asked, rid),
          asked.stream === true,
          new NativeAnswer(nativeForm(asked, rid), isKept),
        ),
    })),
};

/** Counts of the tokens of their prompts. */
export const COUNT_DOOR: Door = {
  ...FORM,
  read: (body, limits, minPriority, context) =>
    readPromptedBody(CountTokensRequestDto, body, context, (asked, prompt) =>
      toChat({ asked, body, prompt }, limits, minPriority),
    ),
};

/** What is left of a request of which nothing can be carried. */
const NO_MESSAGE = { messages: [{ role: 'user', content: '' }] };

/** What a message is asked with. */
interface Parts {
  readonly asked: AskedMessage;
  readonly body: Buffer;
  readonly prompt: FilledPrompt | null;
}

function toChat({ asked, body, prompt }: Parts, limits: RequestLimits, minPriority: number): DoorRequest {
  let toLoc = (loc: Issue['loc']) => loc;
  const { value, refusal } = carry(asked, NO_MESSAGE, (carried) => {
    const { fields, conversation } = toChatFields(carried, prompt?.messages);
    toLoc = (loc) => toMessageLoc(loc, conversation.origins);
    return located(toLoc, () => toParsedRequest(fields, limits, minPriority));
  });
  const native = (): NativeRequest => ({ endpoint: 'messages', fields: asked, body, headerNames: HEADERS });
  return { ...value, toLoc, prompt: prompt?.use, ...nativeUnlessPrompted(native, refusal, prompt) };
}

const nativeForm = ({ model }: AskedMessage, rid: string): NativeForm => ({
  translator: () => new MessageToChat(`chatcmpl-${rid}`, model, false),
  failAfter: (failure) => new MessageForm({ model }, rid).fail(failure),
});

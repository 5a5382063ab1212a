import { type Issue, ResponsesRequestDto } from '@hone/contracts';
import { editObject } from '@hone/json/bytes';
import { Injectable } from '@nestjs/common';

import { located } from '../../chat/body/located.js';
import type { Door, DoorContext, DoorRequest, NativeRequest } from '../../chat/door.js';
import { type FilledPrompt, withoutPrompt } from '../../chat/prompts/filled-prompt.js';
import type { RequestLimits } from '../../shared/gateway-settings.js';
import { ResponseToChat } from '../../wire/responses/response-to-chat.js';
import { carry } from '../translation/carry.js';
import { NativeAnswer, type NativeForm } from '../translation/native-answer.js';
import { nativeUnlessPrompted, readPromptedBody, toParsedRequest } from '../translation/read-door-body.js';
import { TranslatedSink } from '../translation/translated-sink.js';
import { toFailureEvents } from './answer/failure-events.js';
import { ResponseForm } from './answer/response-form.js';
import { assertInForeground, FIELD_NAMES, toChatFields } from './request/to-chat-fields.js';
import { noteOf } from './stored/response-note.js';
import { StoredResponses } from './stored/stored-responses.service.js';
import { toItems } from './stored/to-input-items.js';

type Asked = ResponsesRequestDto & Record<string, unknown>;

/** OpenAI's Responses. One that continues another begins with the messages of that one. */
@Injectable()
export class ResponsesDoor implements Door {
  readonly idPrefix = 'resp_';
  readonly fieldNames = FIELD_NAMES;

  constructor(private readonly stored: StoredResponses) {}

  read(
    body: Buffer,
    limits: RequestLimits,
    minPriority: number,
    context: DoorContext,
  ): DoorRequest | Promise<DoorRequest> {
    return readPromptedBody(ResponsesRequestDto, body, context, (asked, prompt) => {
      const toRequest = (earlier: readonly object[]) =>
        toDoorRequest({ asked, body, prompt, earlier }, limits, minPriority);
      const { previous_response_id: previous } = asked;
      return previous ? this.stored.conversation(context.project, previous).then(toRequest) : toRequest([]);
    });
  }
}

/** What a response is asked with. */
interface Parts {
  readonly asked: Asked;
  readonly body: Buffer;
  readonly prompt: FilledPrompt | null;
  /** Messages of the response that it continues. */
  readonly earlier: readonly object[];
}

function toDoorRequest(
  { asked, body, prompt, earlier }: Parts,
  limits: RequestLimits,
  minPriority: number,
): DoorRequest {
  assertInForeground(asked);
  const prompted = prompt?.messages ?? [];
  const begin = asked.instructions ? 1 : 0;
  const toLoc = (loc: Issue['loc']) => withoutPrompt(loc, prompted.length, begin);
  const whole = prompt === null ? asked : { ...asked, input: asked.input ?? [] };
  const { value, refusal } = carry(whole, { input: '' }, (carried) => {
    const fields = toChatFields(carried);
    const own = fields['messages'] as object[];
    const first = carried.instructions ? 1 : 0;
    const messages = [...own.slice(0, first), ...prompted, ...earlier, ...own.slice(first)];
    return located(toLoc, () => toParsedRequest({ ...fields, messages }, limits, minPriority));
  });
  const wantsStored = asked.store !== false;
  return {
    ...value,
    ...(prompt !== null && { toLoc }),
    ...nativeUnlessPrompted(
      () => ({ endpoint: 'responses', ...toNative(asked, body, earlier), headerNames: ['openai-beta'] }),
      refusal,
      prompt,
    ),
    prompt: prompt?.use,
    callNote: JSON.stringify(noteOf(asked, prompted.length)),
    toSink: (reply, { rid, isKept }) =>
      new TranslatedSink(
        reply,
        new ResponseForm(asked, rid, wantsStored && isKept),
        asked.stream === true,
        new NativeAnswer(nativeForm(asked, rid), isKept),
      ),
  };
}

/** The request as upstreams take it that speak responses. Of earlier ones they know nothing: it has what was said before. */
function toNative(
  asked: Asked,
  body: Buffer,
  earlier: readonly object[],
): Omit<NativeRequest, 'endpoint' | 'headerNames'> {
  if (earlier.length === 0) return { fields: asked, body };
  const { input, previous_response_id: previous, ...others } = asked;
  const own = typeof input === 'string' ? [{ role: 'user', content: input }] : (input as readonly object[]);
  const all = [...toItems(earlier as readonly Record<string, unknown>[]), ...own];
  const set = new Map([['input', JSON.stringify(all)]]);
  const remove = new Set(['previous_response_id']);
  return {
    fields: { ...others, input: all },
    body: editObject(body, { set, remove, rename: new Map() }),
    continues: previous ?? undefined,
  };
}

const nativeForm = ({ model }: Asked, rid: string): NativeForm => ({
  translator: () => new ResponseToChat(`chatcmpl-${rid}`, model),
  failAfter: toFailureEvents,
});

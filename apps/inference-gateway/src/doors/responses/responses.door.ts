import type { ProjectGrant } from '@hone/auth';
import { ResponsesRequestDto } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import type { Door, DoorRequest } from '../../chat/door.js';
import type { RequestLimits } from '../../shared/gateway-settings.js';
import { readDoorBody, toParsedRequest } from '../translation/read-door-body.js';
import { TranslatedSink } from '../translation/translated-sink.js';
import { ResponseForm } from './answer/response-form.js';
import { FIELD_NAMES, toChatFields } from './request/to-chat-fields.js';
import { noteOf } from './stored/response-note.js';
import { StoredResponses } from './stored/stored-responses.service.js';

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
    project: ProjectGrant,
  ): DoorRequest | Promise<DoorRequest> {
    const asked = readDoorBody(ResponsesRequestDto, body);
    const toRequest = (earlier: readonly object[]) => toDoorRequest(asked, earlier, limits, minPriority);
    const { previous_response_id: previous } = asked;
    return previous ? this.stored.conversation(project, previous).then(toRequest) : toRequest([]);
  }
}

/** @param earlier messages of the response that it continues */
function toDoorRequest(
  asked: Asked,
  earlier: readonly object[],
  limits: RequestLimits,
  minPriority: number,
): DoorRequest {
  const fields = toChatFields(asked);
  const own = fields['messages'] as object[];
  const begin = asked.instructions ? 1 : 0;
  const messages = [...own.slice(0, begin), ...earlier, ...own.slice(begin)];
  const wantsStored = asked.store !== false;
  return {
    ...toParsedRequest({ ...fields, messages }, limits, minPriority),
    callNote: JSON.stringify(noteOf(asked)),
    toSink: (reply, { rid, isKept }) =>
      new TranslatedSink(reply, new ResponseForm(asked, rid, wantsStored && isKept), asked.stream === true),
  };
}

import { ResponsesRequestDto } from '@hone/contracts';

import type { Door } from '../../chat/door.js';
import { readDoorBody, toParsedRequest } from '../translation/read-door-body.js';
import { TranslatedSink } from '../translation/translated-sink.js';
import { ResponseForm } from './answer/response-form.js';
import { FIELD_NAMES, toChatFields } from './request/to-chat-fields.js';

/** OpenAI's Responses. */
export const RESPONSES_DOOR: Door = {
  idPrefix: 'resp_',
  fieldNames: FIELD_NAMES,
  read(body, limits, minPriority) {
    const asked = readDoorBody(ResponsesRequestDto, body);
    return {
      ...toParsedRequest(toChatFields(asked), limits, minPriority),
      toSink: (reply, rid) => new TranslatedSink(reply, new ResponseForm(asked, rid), asked.stream === true),
    };
  },
};

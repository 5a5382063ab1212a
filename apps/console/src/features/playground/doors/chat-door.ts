import { hone } from '../../../shared/data/hone.js';
import { CHAT_COMPLETIONS } from '../../../shared/request-code/api-form.js';
import { withChunk } from '../conversation.js';
import { answersOf, type Door, NOT_ANSWERED, withOthers } from './door.js';

/** Chat completions: the form in which the playground keeps everything. */
export const CHAT_DOOR: Door = {
  name: '',
  ...CHAT_COMPLETIONS,
  schema: 'ChatCompletionRequestDto',
  toBody: ({ model, messages, parameters }) => ({
    fields: withOthers({ model, messages }, parameters),
    leftOut: [],
  }),
  answer: (fields, options) =>
    answersOf(hone.inference.streamChatCompletion(fields as never, options), NOT_ANSWERED, ({ turn }, chunk) => ({
      completionId: chunk.id,
      turn: withChunk(turn, chunk),
    })),
};

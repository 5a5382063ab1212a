import { hone } from '../../../shared/data/hone.js';
import { withChunk } from '../conversation.js';
import { answersOf, type Door, NOT_ANSWERED, withOthers } from './door.js';

/** Chat completions: the form in which the playground keeps everything. */
export const CHAT_DOOR: Door = {
  name: '',
  label: 'Chat completions',
  path: '/v1/chat/completions',
  schema: 'ChatCompletionRequestDto',
  sdkFields: [
    ...['model', 'messages', 'frequency_penalty', 'logit_bias', 'logprobs', 'max_completion_tokens', 'max_tokens'],
    ...['metadata', 'n', 'parallel_tool_calls', 'presence_penalty', 'reasoning_effort', 'response_format', 'seed'],
    ...['service_tier', 'stop', 'temperature', 'tool_choice', 'tools', 'top_logprobs', 'top_p', 'user', 'verbosity'],
  ],
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

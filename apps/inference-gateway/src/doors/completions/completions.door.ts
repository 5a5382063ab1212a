import { CompletionRequestDto, isInputList } from '@hone/contracts';

import { readChatFields } from '../../chat/body/parse-chat-request.js';
import type { Door } from '../../chat/door.js';
import type { RequestLimits } from '../../shared/gateway-settings.js';
import { readDoorBody } from '../translation/read-door-body.js';
import { invalid, unsupported } from '../translation/refusals.js';
import { TranslatedSink } from '../translation/translated-sink.js';
import { CompletionForm } from './completion-form.js';

type Asked = CompletionRequestDto & Record<string, unknown>;

/** Only their types are looked at: a completion has no messages. */
const NO_MESSAGES = [{ role: 'user', content: '' }];

/** Completions: the prompt goes to the model as it stands, at upstreams that have them and at the embedded engine. */
export const COMPLETIONS_DOOR: Door = {
  idPrefix: 'cmpl-',
  fieldNames: new Map([
    ['top_logprobs', 'logprobs'],
    ['prompt_logprobs', 'logprobs'],
  ]),
  read(body, limits, minPriority) {
    const fields = readDoorBody(CompletionRequestDto, body);
    assertCarried(fields);
    const choices = countChoices(fields, limits);
    const { prompt, logprobs, echo, max_tokens: maxTokens, ...others } = fields;
    const chat = {
      ...others,
      messages: NO_MESSAGES,
      ...(logprobs !== undefined && { logprobs: true, top_logprobs: logprobs }),
    };
    const { dto } = readChatFields(chat, limits, minPriority);
    const asked = {
      model: fields.model,
      echo: echo === true,
      echoed: echo === true && typeof prompt === 'string' ? prompt : null,
      isPromptOnly: maxTokens === 0,
    };
    return {
      endpoint: 'completions',
      dto: { ...dto, messages: [], n: choices, max_completion_tokens: maxTokens },
      fields,
      body,
      toSink: (reply, { rid }) => new TranslatedSink(reply, new CompletionForm(asked, rid), fields.stream === true),
    };
  },
};

/** @throws InvalidRequestError */
function assertCarried({ suffix, stream, echo, prompt, logprobs, best_of: best, n = 1 }: Asked): void {
  if ((suffix ?? '') !== '') throw unsupported(['suffix'], 'No model here writes between two texts');
  if (best !== undefined && best !== n) throw unsupported(['best_of'], 'Every answer that is made is given');
  if (stream !== true) return;
  if (isInputList(prompt)) {
    throw unsupported(['prompt'], 'The answers to several prompts cannot be streamed');
  }
  const isKnown = typeof prompt === 'string' && logprobs === undefined;
  if (echo === true && !isKnown) throw unsupported(['echo'], 'The tokens of a prompt cannot be streamed');
}

/** @throws InvalidRequestError there are more than the limit */
function countChoices({ prompt, n }: Asked, { maxChoices }: RequestLimits): number {
  const prompts = isInputList(prompt) ? prompt.length : 1;
  const choices = prompts * (n ?? 1);
  if (choices > maxChoices) throw invalid(['prompt'], `The prompts should have at most ${maxChoices} answers together`);
  return choices;
}

import { isJsonObject } from '@hone/client';

import { toExchange } from '../chat/exchange.js';
import { type ApiForm, CHAT_COMPLETIONS, MESSAGES, RESPONSES } from './api-form.js';

/** A call's request, to be sent again. */
export interface CallRequest {
  readonly form: ApiForm;
  /** Of the body. */
  readonly fields: Readonly<Record<string, unknown>>;
}

const FORMS = { chat: CHAT_COMPLETIONS, responses: RESPONSES, messages: MESSAGES } as const;
/** They belong to how the call was made: the client that was traced, its id, and a stream, which the code would not print. */
const LEFT_OUT = ['self', 'request_id', 'stream', 'stream_options'];

/** The request that a call sent to a model; null: it sent none. @param inputs with all that they hold */
export function requestOfCall(inputs: unknown, output: unknown): CallRequest | null {
  const exchange = toExchange(inputs, output);
  if (exchange === null || !isJsonObject(inputs) || typeof inputs['model'] !== 'string') return null;
  const sent = Object.entries(inputs).filter(
    ([name, value]) => value !== null && value !== undefined && !LEFT_OUT.includes(name),
  );
  return { form: FORMS[exchange.form], fields: Object.fromEntries(sent) };
}

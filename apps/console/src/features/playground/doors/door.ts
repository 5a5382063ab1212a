import type { RequestOptions } from '@hone/client';

import type { SentMessage } from '../../../shared/chat/chat.js';
import type { ApiForm } from '../../../shared/request-code/api-form.js';
import type { Turn } from '../conversation.js';

/** What a model is asked, in the words of chat completions. */
export interface AskedChat {
  readonly model: string;
  readonly messages: readonly SentMessage[];
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** The same in the words of a door. */
export interface DoorBody {
  readonly fields: Readonly<Record<string, unknown>>;
  /** What the door has no place for, with the reason, each as a sentence. */
  readonly leftOut: readonly string[];
}

/** An answer as far as it is written. */
export interface Answering {
  /** Of the chat completion that it is, `chatcmpl-…`; null: not known yet. */
  readonly completionId: string | null;
  readonly turn: Turn;
}

/** A form of requests and answers that the gateway has. */
export interface Door extends ApiForm {
  /** In the address of the page. */
  readonly name: string;
  /** Of the body, in the OpenAPI document. */
  readonly schema: string;
  toBody(chat: AskedChat): DoorBody;
  /** Asks. @param fields of the body, without those of streams @throws HoneError */
  answer(fields: DoorBody['fields'], options: RequestOptions): AsyncIterable<Answering>;
}

export const NOT_ANSWERED: Answering = {
  completionId: null,
  turn: { role: 'assistant', text: '', tools: [], tokens: [] },
};

/** The answer after each event. @param next what an event adds to it */
export async function* answersOf<Event, State extends Answering>(
  events: AsyncIterable<Event>,
  begin: State,
  next: (before: State, event: Event) => State,
): AsyncGenerator<State, void, undefined> {
  let answer = begin;
  for await (const event of events) {
    answer = next(answer, event);
    yield answer;
  }
}

/** The id that an answer has as a chat completion: all ids of one request differ in how they begin alone. */
export const toCompletionId = (id: unknown): string => String(id).replace(/^(?:resp|msg)_/, 'chatcmpl-');

/** The entries that have a value: null means absent in every door. */
export const given = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));

/** These fields, and after them others, which replace none of them. */
export const withOthers = (
  fields: Readonly<Record<string, unknown>>,
  others: Readonly<Record<string, unknown>>,
): Record<string, unknown> => given({ ...fields, ...others, ...fields });

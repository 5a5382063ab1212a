import type { HoneClient } from './hone-client.js';
import type { ChatCompletion } from './wire.js';

export interface ChatMessage {
  readonly role: string;
  readonly content: string | null;
}

/** A question with the one right answer, which is not among its messages. */
export interface Question {
  readonly messages: readonly ChatMessage[];
  readonly answer: string;
}

/** A conversation whose last message is the answer, as a question. */
export const toQuestion = ({ messages, answer }: Question): Question => ({ messages: messages.slice(0, -1), answer });

export const ask = (
  client: HoneClient,
  model: string,
  messages: readonly ChatMessage[],
  options: Readonly<Record<string, unknown>> = {},
): Promise<ChatCompletion> =>
  client.post('/v1/chat/completions', { model, messages, temperature: 0, max_tokens: 48, ...options });

export const textOf = (completion: ChatCompletion): string => completion.choices[0]?.message.content ?? '';

/** Share of questions, 0 to 1, whose greedy answer `isRight`. */
export async function accuracyOf(
  client: HoneClient,
  model: string,
  questions: readonly Question[],
  isRight: (text: string, question: Question) => boolean,
): Promise<number> {
  const answers = await Promise.all(questions.map(({ messages }) => ask(client, model, messages)));
  const right = questions.filter((question, index) => isRight(textOf(answers[index] as ChatCompletion), question));
  return right.length / questions.length;
}

/** The first message of a question and what the model makes of it, as a line to show. */
export async function showAnswer(client: HoneClient, model: string, question?: Question): Promise<string> {
  if (question === undefined) return '';
  const answer = await ask(client, model, question.messages);
  return `  ${question.messages[0]?.content} -> ${textOf(answer)}`;
}

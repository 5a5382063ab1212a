import type { ChatCompletionDto, ChatCompletionRequestDto, Hone } from '@hone/client';
import type { Example } from '@hone/engine/hone-tiny';

export type ChatMessage = { readonly role: string; readonly content: string | null };

/** A question with the one right answer, which is not among its messages. */
export interface Question {
  readonly messages: readonly ChatMessage[];
  readonly answer: string;
}

/** A conversation whose last message is the answer, as a question. */
export const toQuestion = ({ messages, answer }: Example): Question => ({
  messages: messages.slice(0, -1).map((message) => ({ ...message })),
  answer,
});

export const ask = (
  hone: Hone,
  model: string,
  messages: readonly ChatMessage[],
  options: Partial<ChatCompletionRequestDto> = {},
): Promise<ChatCompletionDto> =>
  hone.inference.createChatCompletion({ model, messages: [...messages], temperature: 0, max_tokens: 48, ...options });

export const textOf = (completion: ChatCompletionDto): string => completion.choices[0]?.message.content ?? '';

/** Share of questions, 0 to 1, whose greedy answer `isRight`. */
export async function accuracyOf(
  hone: Hone,
  model: string,
  questions: readonly Question[],
  isRight: (text: string, question: Question) => boolean,
): Promise<number> {
  const answers = await Promise.all(questions.map(({ messages }) => ask(hone, model, messages)));
  const right = questions.filter((question, index) => isRight(textOf(answers[index] as ChatCompletionDto), question));
  return right.length / questions.length;
}

/** The first message of a question and what the model makes of it, as a line to show. */
export async function showAnswer(hone: Hone, model: string, question?: Question): Promise<string> {
  if (question === undefined) return '';
  const answer = await ask(hone, model, question.messages);
  return `  ${question.messages[0]?.content} -> ${textOf(answer)}`;
}

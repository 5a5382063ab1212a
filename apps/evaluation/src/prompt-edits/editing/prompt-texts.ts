import type { JsonObject } from '@hone/contracts';

/** Characters of a prompt's texts. */
export const MAX_TEXT = 32_768;

/** A text of a prompt that can be edited. */
export interface PromptText {
  /** Number of its message, from 0. */
  readonly at: number;
  readonly role: string;
  readonly text: string;
}

/** The messages of a prompt that are texts; parts of others, as images, stay as they are. */
export const editableTexts = (messages: readonly JsonObject[]): PromptText[] =>
  messages.flatMap(({ role, content }, at) =>
    typeof content === 'string' && content.trim() !== ''
      ? [{ at, role: typeof role === 'string' ? role : 'message', text: content }]
      : [],
  );

/** The messages with other texts. @param texts of those that can be edited, in their order */
export function withTexts(messages: readonly JsonObject[], texts: readonly string[]): JsonObject[] {
  const edited = messages.map((message) => ({ ...message }));
  for (const [number, { at }] of editableTexts(messages).entries())
    edited[at] = { ...(edited[at] as JsonObject), content: texts[number] as string };
  return edited;
}

/** The value of the prompt object with other messages, in the form that it has. */
export const withMessages = (value: JsonObject, messages: JsonObject[]): JsonObject =>
  Array.isArray(value['messages']) ? { ...value, messages } : { ...value, content: messages[0]?.['content'] ?? '' };

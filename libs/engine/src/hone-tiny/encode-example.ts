import type { ChatEncoder } from './chat-encoder.js';
import type { Conversation } from './example.js';
import { specialId } from './special-tokens.js';

/** A conversation as the bundled model is trained on it; both lists are as long as the sequence. */
export interface EncodedExample {
  readonly ids: readonly number[];
  /** True for the tokens of the last answer and the `<|end|>` behind it: the ones to predict. */
  readonly trained: readonly boolean[];
}

export function encodeExample({ messages, tools }: Conversation, encoder: ChatEncoder): EncodedExample {
  const ids = encoder.encodeChat(messages, { tools, addGenerationPrompt: false });
  // The generation prompt of this template is one token; rendering the prompt again would double the time.
  const opening = ids.lastIndexOf(specialId('assistant'));
  return { ids, trained: ids.map((_, position) => position > opening) };
}

import { Template } from '@huggingface/jinja';
import { Tokenizer } from '@huggingface/tokenizers';

import { CHAT_TEMPLATE } from './chat-template.js';
import type { Conversation } from './example.js';
import type { TokenizerJson } from './train-tokenizer.js';

/** Conversations to token ids, as far as training the bundled model needs it. */
export interface ChatEncoder {
  encodeChat(
    messages: Conversation['messages'],
    options: { tools?: Conversation['tools']; addGenerationPrompt: boolean },
  ): number[];
}

/** For text that we generated: special tokens written in a message would become special tokens. */
export function createChatEncoder(tokenizerJson: TokenizerJson): ChatEncoder {
  const tokenizer = new Tokenizer(tokenizerJson, {});
  const template = new Template(CHAT_TEMPLATE);
  return {
    encodeChat(messages, { tools, addGenerationPrompt }) {
      const text = template.render({ messages, tools: tools ?? null, add_generation_prompt: addGenerationPrompt });
      return tokenizer.encode(text, { add_special_tokens: false }).ids;
    },
  };
}

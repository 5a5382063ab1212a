import type { RemoteModel } from '../model/base-model.js';
import type { ChatMessage } from '../model/template/chat-message.js';
import type { PlanningTokenizer } from './planning-tokenizer.js';

/** A base model's chat template as planning asks for it. Ids beyond the model's embeddings are invalid. */
export const planningTokenizerOf = ({ chatTemplate, config }: RemoteModel): PlanningTokenizer => ({
  vocabSize: config.vocabSize,
  encodeChat: (messages, options) => chatTemplate.encodeChat(messages as ChatMessage[], options),
});

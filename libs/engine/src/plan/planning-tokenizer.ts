import type { RemoteModel } from '../model/base-model.js';
import type { ChatMessage } from '../model/template/chat-message.js';

/** What planning needs of a base model's tokenizer and chat template. */
export interface PlanningTokenizer {
  /** Token ids are 0 to `vocabSize` - 1. */
  readonly vocabSize: number;
  /**
   * Token ids of a conversation as the chat template renders it.
   *
   * @param options.addGenerationPrompt end with what opens the assistant's next turn
   * @param options.maxTokens a conversation that surely has more is not encoded
   * @throws ConversationTooLongError it has more than `maxTokens`; not each that has is noticed
   * @throws when the template refuses the conversation; the message of the error is passed on
   */
  encodeChat(
    messages: readonly unknown[],
    options: {
      readonly tools?: readonly unknown[];
      readonly addGenerationPrompt: boolean;
      readonly maxTokens?: number;
    },
  ): number[];
}

/** Adapts a base model to planning. Token ids beyond the model's embeddings are invalid. */
export const planningTokenizerOf = ({ chatTemplate, config }: RemoteModel): PlanningTokenizer => ({
  vocabSize: config.vocabSize,
  encodeChat: (messages, options) => chatTemplate.encodeChat(messages as ChatMessage[], options),
});

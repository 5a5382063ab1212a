/** What planning needs of a base model's tokenizer and chat template. */
export interface PlanningTokenizer {
  /** Token ids are 0 to `vocabSize` - 1. */
  readonly vocabSize: number;
  /**
   * Token ids of a conversation as the chat template renders it.
   *
   * @param options.addGenerationPrompt end with what opens the assistant's next turn
   * @throws when the template refuses the conversation; the message of the error is passed on
   */
  encodeChat(
    messages: readonly unknown[],
    options: { readonly tools?: readonly unknown[]; readonly addGenerationPrompt: boolean },
  ): number[];
}

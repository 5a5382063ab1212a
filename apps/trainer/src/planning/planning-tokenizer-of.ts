import type { BaseModel, ChatMessage, PlanningTokenizer } from '@hone/engine';

/** A base model's chat template as planning asks for it. Ids beyond the model's embeddings are nobody's. */
export const planningTokenizerOf = ({ chatTemplate, config }: BaseModel): PlanningTokenizer => ({
  vocabSize: config.vocabSize,
  encodeChat: (messages, options) => chatTemplate.encodeChat(messages as ChatMessage[], options),
});

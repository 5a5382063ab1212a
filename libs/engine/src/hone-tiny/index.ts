export { createChatEncoder, type ChatEncoder } from './chat-encoder.js';
export { heldOutExamples, practiceExamples, trainingExamples } from './corpus.js';
export { encodeExample, type EncodedExample } from './encode-example.js';
export { promptOf, type ChatMessage, type Conversation, type Example, type Family } from './example.js';
export { FAMILIES, shareOf, SHARES } from './families/families.js';
export { writeModelFolder } from './model-folder.js';
export { SPECIAL, SPECIAL_TOKENS, specialId } from './special-tokens.js';
export { trainTokenizer, VOCABULARY_SIZE, type TokenizerJson } from './train-tokenizer.js';

import { planSft, resolveSftConfig } from '../plan/index.js';
import { createChatEncoder } from './chat-encoder.js';
import { heldOutExamples } from './corpus.js';
import { encodeExample } from './encode-example.js';
import type { ChatMessage, ToolDefinition } from './example.js';
import { FAMILIES } from './families/families.js';
import { trainTokenizer, VOCABULARY_SIZE } from './train-tokenizer.js';

describe('encodeExample', () => {
  it('trains the tokens that a fine-tuning job trains', async () => {
    const encoder = createChatEncoder(trainTokenizer(1));
    const examples = FAMILIES.flatMap((family) => heldOutExamples(family, 1, 5));
    const lines = examples.map(({ messages, tools }) => JSON.stringify({ messages, tools }));
    const config = resolveSftConfig({ batch_size: examples.length, assistant_turns: 'last' });
    const tokenizer = {
      vocabSize: VOCABULARY_SIZE,
      encodeChat: (
        messages: readonly unknown[],
        options: { tools?: readonly unknown[]; addGenerationPrompt: boolean },
      ) => encoder.encodeChat(messages as ChatMessage[], { ...options, tools: options.tools as ToolDefinition[] }),
    };
    const { rows } = await planSft(lines, config, { tokenizer, contextLength: 1024 });
    const planned = rows[0]?.sequences.map(({ ids, mask }) => ({ ids, trained: mask.map(Boolean) }));
    expect(planned).toEqual(examples.map((example) => encodeExample(example, encoder)));
  });
});

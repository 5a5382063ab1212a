import { isJsonObject } from '@hone/json';

import { stepsOf } from '../../model/tokenizer/tokenizer-file.js';
import { GPT2_WORDS, LLAMA3_WORDS, QWEN2_WORDS, SINGLE_DIGIT } from '../../model/tokenizer/word-patterns.js';
import { GgufUnsupportedError } from './gguf.errors.js';

/**
 * llama.cpp splits text into words by rules of its own, which a file chooses by name (`tokenizer.ggml.pre`, the
 * names are those of its llama-vocab.cpp). A tokenizer whose rule has no name is refused: under another rule the
 * same text would get other tokens.
 *
 * @param preTokenizer of a tokenizer.json
 * @throws GgufUnsupportedError
 */
export function preTokenizerName(preTokenizer: unknown): string {
  const steps = stepsOf(preTokenizer, 'pretokenizers').map(describe);
  switch (steps.join(' + ')) {
    case 'gpt-2 words':
      return 'gpt-2';
    case `${GPT2_WORDS} + bytes`:
      return 'gpt-2';
    case 'single digits + gpt-2 words':
    case `single digits + ${GPT2_WORDS} + bytes`:
      return 'smollm';
    case `${LLAMA3_WORDS} + bytes`:
      return 'llama-bpe';
    case `${QWEN2_WORDS} + bytes`:
      return 'qwen2';
    default:
      throw new GgufUnsupportedError(`llama.cpp has no name for its pre-tokenizer, ${JSON.stringify(preTokenizer)}`);
  }
}

function describe(step: Record<string, unknown>): string {
  const pattern = isJsonObject(step.pattern) ? step.pattern.Regex : undefined;
  if (step.type === 'ByteLevel' && step.add_prefix_space !== true) {
    return step.use_regex === false ? 'bytes' : 'gpt-2 words';
  }
  if (step.type === 'Digits' && step.individual_digits === true) return 'single digits';
  if (step.type === 'Split' && step.behavior === 'Isolated' && step.invert !== true) {
    return pattern === SINGLE_DIGIT ? 'single digits' : String(pattern);
  }
  return 'unknown';
}

import { isJsonObject } from '../model/json-fields.js';

import { GgufUnsupportedError } from './gguf.errors.js';

/** GPT-2's words, which a pre-tokenizer may also spell out. */
const GPT_2 = "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";
/** The words of Llama 3's and Qwen 2's tokenizers; they differ in how many digits stand together. */
const LLAMA_3 =
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
const QWEN_2 = LLAMA_3.replace('\\p{N}{1,3}', '\\p{N}');

/**
 * llama.cpp splits text into words by rules of its own, which a file chooses by name (`tokenizer.ggml.pre`, the
 * names are those of its llama-vocab.cpp). A tokenizer whose rule has no name is refused: under another rule the
 * same text would get other tokens.
 *
 * @param preTokenizer of a tokenizer.json
 * @throws GgufUnsupportedError
 */
export function preTokenizerName(preTokenizer: unknown): string {
  const steps = flatten(preTokenizer).map(describe);
  switch (steps.join(' + ')) {
    case 'gpt-2 words':
      return 'gpt-2';
    case `${GPT_2} + bytes`:
      return 'gpt-2';
    case 'single digits + gpt-2 words':
    case `single digits + ${GPT_2} + bytes`:
      return 'smollm';
    case `${LLAMA_3} + bytes`:
      return 'llama-bpe';
    case `${QWEN_2} + bytes`:
      return 'qwen2';
    default:
      throw new GgufUnsupportedError(`llama.cpp has no name for its pre-tokenizer, ${JSON.stringify(preTokenizer)}`);
  }
}

function flatten(part: unknown): Record<string, unknown>[] {
  if (!isJsonObject(part)) return [];
  return Array.isArray(part.pretokenizers) ? part.pretokenizers.flatMap(flatten) : [part];
}

function describe(step: Record<string, unknown>): string {
  const pattern = isJsonObject(step.pattern) ? step.pattern.Regex : undefined;
  if (step.type === 'ByteLevel' && step.add_prefix_space !== true) {
    return step.use_regex === false ? 'bytes' : 'gpt-2 words';
  }
  if (step.type === 'Digits' && step.individual_digits === true) return 'single digits';
  if (step.type === 'Split' && step.behavior === 'Isolated' && step.invert !== true) {
    return pattern === '\\p{N}' ? 'single digits' : String(pattern);
  }
  return 'unknown';
}

import { type BytePairs, trainBytePairs } from './bpe-trainer.js';
import type { Conversation } from './example.js';
import { FAMILIES } from './families/families.js';
import { Random } from './random.js';
import { SPECIAL_TOKENS } from './special-tokens.js';

/** Special tokens, bytes and merges together. */
export const VOCABULARY_SIZE = 512;
const NUM_BYTES = 256;
const EXAMPLES_OF_EACH_FAMILY = 300;

/** `tokenizer.json` of the Hugging Face layout, fields as the library `tokenizers` writes them. */
export type TokenizerJson = ReturnType<typeof toTokenizerJson>;

/** Learns the vocabulary of the bundled model. It does not depend on the families' shares: tuning those keeps the ids. */
export function trainTokenizer(seed: number): TokenizerJson {
  return toTokenizerJson(trainBytePairs(texts(seed), VOCABULARY_SIZE - SPECIAL_TOKENS.length - NUM_BYTES));
}

function* texts(seed: number): Generator<string> {
  const random = Random.of(seed, 'vocabulary');
  for (const family of FAMILIES) {
    for (let count = 0; count < EXAMPLES_OF_EACH_FAMILY; count++) yield* textsOf(family.example(random));
  }
}

function textsOf({ messages, tools }: Conversation): string[] {
  const calls = messages.flatMap(({ tool_calls }) => tool_calls ?? []);
  return [
    ...messages.map(({ content }) => content ?? ''),
    ...calls.map((call) => `{"name":"${call.function.name}","arguments":${call.function.arguments}}`),
    tools ? JSON.stringify(tools) : '',
  ];
}

/** Ids: special tokens, bytes, merges by rank. */
function toTokenizerJson({ alphabet, merges }: BytePairs) {
  const tokens = [...SPECIAL_TOKENS, ...alphabet, ...merges.map((pair) => pair.join(''))];
  const byteLevel = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true };
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: SPECIAL_TOKENS.map(toAddedToken),
    normalizer: null,
    pre_tokenizer: { type: 'Sequence', pretokenizers: [{ type: 'Digits', individual_digits: true }, byteLevel] },
    post_processor: null,
    decoder: byteLevel,
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
      merges: merges.map((pair) => pair.join(' ')),
    },
  };
}

const toAddedToken = (content: string, id: number) => ({
  id,
  content,
  single_word: false,
  lstrip: false,
  rstrip: false,
  normalized: false,
  special: true,
});

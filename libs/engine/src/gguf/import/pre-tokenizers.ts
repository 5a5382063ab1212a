import { TokenizerUnsupportedError } from '../../model/tokenizer/tokenizer.errors.js';
import { GPT2_WORDS, LLAMA3_WORDS, QWEN2_WORDS, SINGLE_DIGIT } from '../../model/tokenizer/word-patterns.js';

/** How llama.cpp cuts a text into words under a name, as a list of patterns that are applied one after the other. */
interface WordRule {
  readonly patterns: readonly string[];
  /** A word that is a token is that token, whatever the merges say. */
  readonly ignoreMerges?: true;
  /** The begin token is added, unless the file says otherwise. */
  readonly addsBegin?: true;
}

const GPT2: WordRule = { patterns: [GPT2_WORDS] };
const SINGLE_DIGITS: WordRule = { patterns: [SINGLE_DIGIT, GPT2_WORDS] };
const QWEN2: WordRule = { patterns: [QWEN2_WORDS] };
const LLAMA3: WordRule = { patterns: [LLAMA3_WORDS] };
const DEFAULT: WordRule = { patterns: ['[\\p{P}\\$\\+<=>\\^~\\|]+', GPT2_WORDS, '\\p{N}+', '[0-9][0-9][0-9]'] };

/** By `tokenizer.ggml.pre`, the names of llama.cpp's llama-vocab.cpp. */
const RULES: ReadonlyMap<string, WordRule> = new Map<string, WordRule>([
  ['default', DEFAULT],
  ...['gpt-2', 'phi-2', 'mpt', 'olmo', 'jais'].map((name) => [name, GPT2] as const),
  ...['smollm', 'starcoder', 'refact', 'command-r', 'codeshell', 'exaone'].map(
    (name) => [name, SINGLE_DIGITS] as const,
  ),
  ...['qwen2', 'deepseek-r1-qwen', 'stablelm2'].map((name) => [name, QWEN2] as const),
  ...['smaug-bpe', 'dbrx'].map((name) => [name, LLAMA3] as const),
  ...['llama-bpe', 'llama3', 'llama-v3', 'falcon3'].map(
    (name) => [name, { ...LLAMA3, ignoreMerges: true, addsBegin: true }] as const,
  ),
]);

/**
 * The rule of a name. An unknown name is refused: under another rule the same text would get other tokens.
 *
 * @throws TokenizerUnsupportedError
 */
export function wordRule(file: string, name: string | null): WordRule {
  // Files from before the key was there.
  const rule = RULES.get(name ?? 'default');
  if (rule) return rule;
  const known = [...RULES.keys()].join(', ');
  const shown = JSON.stringify(name?.slice(0, 80));
  throw new TokenizerUnsupportedError(file, `its pre-tokenizer (tokenizer.ggml.pre) is ${shown}, known are ${known}`);
}

/** `pre_tokenizer` of a tokenizer.json. */
export function toPreTokenizer({ patterns }: WordRule): object {
  const bytes = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: false };
  const splits = patterns.map((Regex) => ({ type: 'Split', pattern: { Regex }, behavior: 'Isolated', invert: false }));
  return { type: 'Sequence', pretokenizers: [...splits, bytes] };
}

/** How GPT-2's tokenizer cuts a text, as `ByteLevel` with `use_regex` means it. */
export const GPT2_WORDS = "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";

const wordsWith = (digits: string): string =>
  `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|${digits}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+`;

export const SINGLE_DIGIT = '\\p{N}';
/** The words of Llama 3's and Qwen 2's tokenizers; they differ in how many digits stand together. */
export const LLAMA3_WORDS = wordsWith('\\p{N}{1,3}');
export const QWEN2_WORDS = wordsWith(SINGLE_DIGIT);

/** They take time in proportion to the text, whatever it is. */
const KNOWN: ReadonlySet<string> = new Set([GPT2_WORDS, SINGLE_DIGIT, LLAMA3_WORDS, QWEN2_WORDS]);

/**
 * Whether parts of a `tokenizer.json` have a pattern of which nothing is known. One of a few characters, such as
 * `(a+)+$`, keeps a process busy for days with a text of some dozen.
 */
export function haveUnknownPattern(...parts: readonly unknown[]): boolean {
  // Neither recursive nor spread: a file may be nested deeply, and have long lists.
  for (const open = [...parts]; open.length > 0;) {
    const part = open.pop();
    if (typeof part !== 'object' || part === null) continue;
    if ('Regex' in part && !KNOWN.has(String(part.Regex))) return true;
    for (const inner of Object.values(part)) open.push(inner);
  }
  return false;
}

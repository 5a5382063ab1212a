import { BaseModelDamagedError } from '../../model/config/model.errors.js';
import type { GgufFields } from './gguf-fields.js';

/** Kinds of tokens, as llama.cpp numbers them (`llama_token_type` of llama.h). */
export const TOKEN_TYPE = { normal: 1, unknown: 2, control: 3, userDefined: 4, unused: 5, byte: 6 } as const;

/** Tokens that end an answer, under the names that models give them (special_eog_ids of llama.cpp's llama-vocab.cpp). */
const END_TOKENS = new Set([
  ...['<|eot_id|>', '<|im_end|>', '<|end|>', '<end_of_turn>', '<|endoftext|>', '<|eom_id|>', '<EOT>', '_<EOT>'],
]);
/** Real tokens have at most some 256 characters, and all splits of a piece are looked at. */
const MAX_TOKEN_CHARACTERS = 1024;

/** The tokens of a GGUF file. */
export class GgufVocabulary {
  readonly tokens: readonly string[];
  private readonly types: ArrayLike<number> | null;

  /** @throws BaseModelDamagedError */
  constructor(private readonly fields: GgufFields) {
    this.tokens = fields.texts('tokenizer.ggml.tokens');
    const tooLong = this.tokens.findIndex(({ length }) => length > MAX_TOKEN_CHARACTERS);
    if (tooLong >= 0) {
      const reason = `tokenizer.ggml.tokens: token ${tooLong} has more than ${MAX_TOKEN_CHARACTERS} characters`;
      throw new BaseModelDamagedError(fields.path, reason);
    }
    this.types = fields.numbers('tokenizer.ggml.token_type', this.tokens.length);
  }

  typeOf(id: number): number {
    return this.types?.[id] ?? TOKEN_TYPE.normal;
  }

  /** Token -> id, of text, bytes and the unknown token. */
  texts(): Record<string, number> {
    const { normal, byte, unknown } = TOKEN_TYPE;
    const entries = this.tokens.map((token, id) => [token, id] as const);
    return Object.fromEntries(entries.filter(([, id]) => [normal, byte, unknown].includes(this.typeOf(id) as 1)));
  }

  /** `added_tokens` of a tokenizer.json: control tokens, and texts that are always one token. */
  addedTokens(): object[] {
    return this.tokens.flatMap((content, id) => {
      const special = this.typeOf(id) === TOKEN_TYPE.control || this.typeOf(id) === TOKEN_TYPE.unknown;
      if (content === '' || (!special && this.typeOf(id) !== TOKEN_TYPE.userDefined)) return [];
      return [{ id, content, single_word: false, lstrip: false, rstrip: false, normalized: false, special }];
    });
  }

  /** Id under `tokenizer.ggml.<name>_token_id`, or null. @throws BaseModelDamagedError */
  special(name: string): number | null {
    const key = `tokenizer.ggml.${name}_token_id`;
    const id = this.fields.number(key);
    if (id === null || id === 0xffffffff) return null;
    if (Number.isInteger(id) && id >= 0 && id < this.tokens.length) return id;
    throw new BaseModelDamagedError(this.fields.path, `${key} is ${id}, there are ${this.tokens.length} tokens`);
  }

  /** Text of such a token, or null. */
  specialText(name: string): string | null {
    const id = this.special(name);
    return id === null ? null : this.tokens[id]!;
  }

  /** Tokens that end an answer, the named ones first. */
  endTokens(): number[] {
    const named = ['eos', 'eot', 'eom'].map((name) => this.special(name)).filter((id) => id !== null);
    const known = this.tokens.flatMap((token, id) => {
      return END_TOKENS.has(token) && this.typeOf(id) === TOKEN_TYPE.control ? [id] : [];
    });
    return [...new Set([...named, ...known])];
  }
}

import { join } from 'node:path';

import { Tokenizer } from '@huggingface/tokenizers';

import { BaseModelDamagedError } from '../config/model.errors.js';
import { ControlMarkers, type TextSegment } from './control-markers.js';
import { longestTokenBytes } from './longest-token.js';
import { withinTime } from './time-bound.js';
import { TokenizerSlowError } from './tokenizer.errors.js';
import { readTokenizerFile, type TokenizerFile } from './tokenizer-file.js';
import { withoutControlTokens, withoutPrefixBlank } from './tokenizer-variants.js';
import { Vocabulary } from './vocabulary.js';
import { WordEncoder } from './word-encoder.js';
import { haveUnknownPattern } from './word-patterns.js';

interface SpecialTokensAround {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** A normalizer may compose characters and join blanks. */
const SHORTENING = 4;
/** Time limit (ms) of patterns that may not be linear: many times what they take for ordinary texts. */
const PATTERN_MS = 1_000;
const PATTERN_MS_PER_CHARACTER = 0.01;

/** A model's tokenizer: text to token ids and back, with exact bytes for each token. */
export class ModelTokenizer extends Vocabulary {
  readonly markers: ControlMarkers;
  /** Tokenizer without control tokens: it encodes any text as text tokens. */
  private readonly plain: Tokenizer;
  /** The same tokenizer for text that follows a control token. */
  private readonly following: Tokenizer;
  /** Does the work of both, faster; null: not possible for this tokenizer. */
  private readonly words: WordEncoder | null;
  private readonly isBounded: boolean;
  private around?: SpecialTokensAround;
  private longestBytes?: number;

  private constructor(file: TokenizerFile) {
    super(file);
    this.markers = new ControlMarkers(file.addedTokens);
    const plain = withoutControlTokens(file);
    this.plain = openTokenizer(file.path, plain);
    const following = withoutPrefixBlank(plain);
    this.following = following ? openTokenizer(file.path, following) : this.plain;
    this.words = following ? null : WordEncoder.of(plain, this.plain);
    this.isBounded = haveUnknownPattern(file.json.normalizer, file.json.pre_tokenizer);
  }

  /**
   * Reads `tokenizer.json` of a model folder.
   *
   * @throws BaseModelDamagedError it is missing or not a tokenizer
   * @throws TokenizerUnsupportedError it is not a byte-pair encoding over bytes
   */
  static override async read(directory: string): Promise<ModelTokenizer> {
    return new ModelTokenizer(await readTokenizerFile(join(directory, 'tokenizer.json')));
  }

  /** Token ids of a text. Markers of control tokens in it are text like any other. */
  encode(text: string): number[] {
    return this.encodeSegments([text]);
  }

  /** Token ids of a text whose markers are control tokens. Only for text that no user wrote. */
  encodeWithControls(text: string): number[] {
    return this.encodeSegments(this.markers.split(text));
  }

  /**
   * Token ids of plain text and control tokens in turns.
   *
   * @throws TokenizerSlowError the tokenizer has a pattern that takes too long with the text
   */
  encodeSegments(segments: readonly TextSegment[]): number[] {
    if (!this.isBounded) return this.encodeAll(segments);
    const characters = segments.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 0), 0);
    const limitMs = PATTERN_MS + Math.ceil(PATTERN_MS_PER_CHARACTER * characters);
    return withinTime(
      () => this.encodeAll(segments),
      limitMs,
      () => new TokenizerSlowError(this.file.path, characters, limitMs),
    );
  }

  /**
   * Adds what the tokenizer itself puts around a text, for example a begin token.
   *
   * @param ids of a text, control tokens included
   */
  addSpecialTokens(ids: readonly number[]): number[] {
    this.around ??= specialTokensAround(openTokenizer(this.file.path, this.file.json));
    return [...this.around.before, ...ids, ...this.around.after];
  }

  /**
   * More characters than so many tokens can hold. Generous, because a tokenizer may shorten a text before it cuts it.
   */
  mostCharacters(tokens: number): number {
    this.longestBytes ??= longestTokenBytes(this);
    return SHORTENING * this.longestBytes * tokens;
  }

  /** The parsed `tokenizer.json`. */
  get source(): TokenizerFile {
    return this.file;
  }

  private encodeAll(segments: readonly TextSegment[]): number[] {
    return segments.flatMap((segment, index) => {
      if (typeof segment !== 'string') return [segment.id];
      if (segment === '') return [];
      if (this.words) return this.words.encode(segment);
      return encodeWith(index === 0 ? this.plain : this.following, segment, false);
    });
  }
}

function openTokenizer(path: string, json: object): Tokenizer {
  try {
    return new Tokenizer(json, {});
  } catch (error) {
    throw new BaseModelDamagedError(path, 'it is not a tokenizer that can be loaded', { cause: error });
  }
}

function encodeWith(tokenizer: Tokenizer, text: string, addSpecialTokens: boolean): number[] {
  return tokenizer.encode(text, { add_special_tokens: addSpecialTokens }).ids;
}

/** Finds the tokens that the post-processor's template adds, by running it on a sample text. */
function specialTokensAround(tokenizer: Tokenizer): SpecialTokensAround {
  const bare = encodeWith(tokenizer, 'a', false);
  const ids = encodeWith(tokenizer, 'a', true);
  const at = ids.findIndex((_, start) => bare.every((id, offset) => ids[start + offset] === id));
  return { before: ids.slice(0, at), after: ids.slice(at + bare.length) };
}

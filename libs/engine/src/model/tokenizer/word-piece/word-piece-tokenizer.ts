import { ControlMarkers } from '../control-markers.js';
import { bertWords } from './bert-words.js';
import { readWordPieceFile, type WordPieceFile } from './word-piece-file.js';

/** The tokenizer of the BERT family: words, each of the longest tokens that it can be put together of. */
export class WordPieceTokenizer {
  private readonly ids: ReadonlyMap<string, number>;
  private readonly markers: ControlMarkers;
  /** UTF-16 units of the longest token. */
  private readonly longest: number;
  /** Above all ids. */
  readonly vocabSize: number;

  constructor(private readonly file: WordPieceFile) {
    const entries = Object.entries(file.vocabulary);
    this.ids = new Map(entries);
    this.markers = new ControlMarkers(file.addedTokens);
    this.longest = entries.reduce((most, [token]) => Math.max(most, token.length), 0);
    const added = [...file.addedTokens.map(({ id }) => id), ...file.before, ...file.after];
    this.vocabSize = [...entries.map(([, id]) => id), ...added].reduce((most, id) => Math.max(most, id + 1), 0);
  }

  /** @throws BaseModelDamagedError, TokenizerUnsupportedError */
  static async read(path: string): Promise<WordPieceTokenizer> {
    return new WordPieceTokenizer(await readWordPieceFile(path));
  }

  /**
   * Token ids of a text with the special tokens around it. As in other servers, the text of a special token is that
   * token: an embedding instructs nobody.
   *
   * @param max tokens: null is returned for a text that has more, without reading it to its end
   */
  encode(text: string, max = Infinity): number[] | null {
    const { before, after } = this.file;
    const ids = [...before];
    const most = max - after.length;
    for (const segment of this.markers.split(text)) {
      if (typeof segment !== 'string') ids.push(segment.id);
      else if (!this.encodeWords(segment, ids, most)) return null;
    }
    ids.push(...after);
    return ids.length > max ? null : ids;
  }

  /** @returns false: it was given up, as there are more than `most` ids */
  private encodeWords(text: string, ids: number[], most: number): boolean {
    for (const word of bertWords(text, this.file.rules)) {
      this.encodeWord(word, ids);
      if (ids.length > most) return false;
    }
    return true;
  }

  private encodeWord(word: string, ids: number[]): void {
    const { maxWordCharacters, continuation, unknownId } = this.file;
    const begin = ids.length;
    let at = isLongerThan(word, maxWordCharacters) ? word.length + 1 : 0;
    while (at < word.length) {
      const prefix = at === 0 ? '' : continuation;
      let end = Math.min(word.length, at + this.longest - prefix.length);
      let id: number | undefined;
      for (; end > at && id === undefined; end -= 1) id = this.ids.get(prefix + word.slice(at, end));
      if (id === undefined) break;
      ids.push(id);
      at = end + 1;
    }
    if (at === word.length) return;
    ids.length = begin;
    ids.push(unknownId);
  }
}

/** Whether a text has more characters (code points) than `most`. */
function isLongerThan(text: string, most: number): boolean {
  if (text.length <= most) return false;
  if (text.length > 2 * most) return true;
  return [...text].length > most;
}

import type { TokenReport } from './generation-event.js';

interface PendingToken {
  readonly id: number;
  readonly report: TokenReport | null;
  /** Length of the answer's text up to which this token's text reaches. */
  readonly end: number;
}

/**
 * Buffer of tokens whose text is not released yet: they wait, with their log-probabilities, for the event that
 * carries their text.
 */
export class PendingTokens {
  private waiting: PendingToken[] = [];
  private produced = 0;
  private released = 0;

  /**
   * @param piece the text that became certain with this token
   * @param isOpen the token ended within a character: its text comes with a later token
   */
  add(id: number, report: TokenReport | null, piece: string, isOpen: boolean): void {
    this.produced += piece.length;
    this.waiting.push({ id, report, end: this.produced + (isOpen && piece === '' ? 1 : 0) });
  }

  /** The tokens that go out with `text`; all of them at the end. */
  release(text: string, isEnd: boolean): { ids: number[]; reports: TokenReport[] } {
    this.released += text.length;
    let count = this.waiting.findIndex((token) => token.end > this.released);
    if (isEnd || count === -1) count = this.waiting.length;
    const gone = this.waiting.splice(0, count);
    return {
      ids: gone.map(({ id }) => id),
      reports: gone.flatMap(({ report }) => (report === null ? [] : [report])),
    };
  }
}

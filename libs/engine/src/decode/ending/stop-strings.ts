/** The part of the text that may be sent. */
interface Released {
  readonly text: string;
  /** The stop string that ended the answer, null as long as none did. */
  readonly stop: string | null;
}

/**
 * Finds stop strings in a streamed text, also across pieces. A suffix that may be the start of a stop string is held
 * back until more text decides.
 */
export class StopStrings {
  private held = '';

  /**
   * @param stops searched for; of those found at once the one that begins first ends the answer
   * @param includeStop the stop string itself is part of the answer
   */
  constructor(
    private readonly stops: readonly string[],
    private readonly includeStop: boolean,
  ) {}

  /** @param searched false: the piece cannot complete or begin a stop string (minimum length not reached) */
  push(piece: string, searched = true): Released {
    const text = this.held + piece;
    this.held = '';
    if (!searched) return { text, stop: null };
    const found = this.findFirst(text);
    if (found !== null)
      return { text: text.slice(0, found.at + (this.includeStop ? found.stop.length : 0)), stop: found.stop };
    const certain = text.length - this.longestBeginning(text);
    this.held = text.slice(certain);
    return { text: text.slice(0, certain), stop: null };
  }

  /** What is still held back, when the answer ends for another reason. */
  end(): string {
    const rest = this.held;
    this.held = '';
    return rest;
  }

  private findFirst(text: string): { at: number; stop: string } | null {
    let first: { at: number; stop: string } | null = null;
    for (const stop of this.stops) {
      const at = text.indexOf(stop);
      if (at !== -1 && (first === null || at < first.at)) first = { at, stop };
    }
    return first;
  }

  /** Length of the longest end of `text` with which a stop string begins. */
  private longestBeginning(text: string): number {
    const longest = Math.max(0, ...this.stops.map((stop) => stop.length - 1));
    for (let length = Math.min(longest, text.length); length > 0; length -= 1) {
      const tail = text.slice(text.length - length);
      if (this.stops.some((stop) => stop.startsWith(tail))) return length;
    }
    return 0;
  }
}

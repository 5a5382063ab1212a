/** The vocabulary as bytes per token. */
export interface TokenTexts {
  readonly vocabSize: number;
  tokenBytes(id: number): Uint8Array;
  isSpecial(id: number): boolean;
}

interface State {
  readonly next: Map<number, number>;
  /** Failure link: the node of the longest proper suffix that begins a word. */
  fallback: number;
  /** A word ends here. */
  isEnd: boolean;
}

const ROOT = 0;

/**
 * Keeps texts out of an answer, however they are tokenized: a token that would complete a word is masked. The words'
 * bytes form one Aho-Corasick automaton (1975); the mask of a state is computed once.
 */
export class BadWords {
  private readonly states: State[] = [{ next: new Map(), fallback: ROOT, isEnd: false }];
  private readonly bans = new Map<number, readonly number[]>();

  constructor(
    words: readonly string[],
    private readonly tokens: TokenTexts,
  ) {
    for (const word of words) this.addWord(new TextEncoder().encode(word));
    this.linkFallbacks();
  }

  /** State of an answer without text. */
  readonly start = ROOT;

  /** Tokens that would complete a word in this state. */
  bannedIn(state: number): readonly number[] {
    const known = this.bans.get(state);
    if (known !== undefined) return known;
    const banned: number[] = [];
    for (let id = 0; id < this.tokens.vocabSize; id += 1) {
      if (!this.tokens.isSpecial(id) && this.completes(state, this.tokens.tokenBytes(id))) banned.push(id);
    }
    this.bans.set(state, banned);
    return banned;
  }

  /** The state after a token. Special tokens are no text: the texts around them count as adjacent. */
  after(state: number, id: number): number {
    if (this.tokens.isSpecial(id)) return state;
    return this.tokens.tokenBytes(id).reduce((current, byte) => this.move(current, byte), state);
  }

  private completes(state: number, bytes: Uint8Array): boolean {
    let current = state;
    for (const byte of bytes) {
      current = this.move(current, byte);
      if (this.state(current).isEnd) return true;
    }
    return false;
  }

  private move(state: number, byte: number): number {
    for (let current = state; ; current = this.state(current).fallback) {
      const next = this.state(current).next.get(byte);
      if (next !== undefined) return next;
      if (current === ROOT) return ROOT;
    }
  }

  private addWord(bytes: Uint8Array): void {
    let current = ROOT;
    for (const byte of bytes) {
      const { next } = this.state(current);
      if (!next.has(byte)) next.set(byte, this.states.push({ next: new Map(), fallback: ROOT, isEnd: false }) - 1);
      current = next.get(byte) as number;
    }
    this.state(current).isEnd = true;
  }

  /** Breadth first: a state's fallback is shorter than itself and known before it. */
  private linkFallbacks(): void {
    const queue = [...this.state(ROOT).next.values()];
    for (const index of queue) {
      const { next, fallback } = this.state(index);
      for (const [byte, child] of next) {
        const state = this.state(child);
        state.fallback = this.move(fallback, byte);
        state.isEnd ||= this.state(state.fallback).isEnd;
        queue.push(child);
      }
    }
  }

  private state(index: number): State {
    return this.states[index] as State;
  }
}

const HEAD = '{"name":';

/**
 * Watches the beginning of an answer for a call that nothing announces: bare JSON that begins with a name. Until
 * it is certain the text is held back.
 */
export class CallOpening {
  private held = '';
  private verdict: 'open' | 'call' | 'text';

  /** @param isOpen false: no such call can come, all is text */
  constructor(isOpen: boolean) {
    this.verdict = isOpen ? 'open' : 'text';
  }

  get isCall(): boolean {
    return this.verdict === 'call';
  }

  /** @returns the text that may go out */
  push(text: string): string {
    if (this.verdict === 'text') return text;
    this.held += text;
    const bare = this.held.replace(/\s/g, '');
    if (bare.startsWith(HEAD)) this.verdict = 'call';
    else if (!HEAD.startsWith(bare)) this.verdict = 'text';
    return this.verdict === 'text' ? this.end() : '';
  }

  /** What is still held back. */
  end(): string {
    const { held } = this;
    this.held = '';
    return held;
  }
}

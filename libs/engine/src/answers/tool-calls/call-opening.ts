const HEAD = '{"name":';

/**
 * Detects a call without a marker at the beginning of an answer: bare JSON whose first member is `name`. It holds text
 * back until it has decided.
 */
export class CallOpening {
  private held = '';
  private verdict: 'open' | 'call' | 'text';

  /** @param isOpen false: the model uses a marker, so everything is text */
  constructor(isOpen: boolean) {
    this.verdict = isOpen ? 'open' : 'text';
  }

  get isCall(): boolean {
    return this.verdict === 'call';
  }

  /** @returns the text that may be sent now */
  push(text: string): string {
    if (this.verdict === 'text') return text;
    this.held += text;
    const bare = this.held.replace(/\s/g, '');
    if (bare.startsWith(HEAD)) this.verdict = 'call';
    else if (!HEAD.startsWith(bare)) this.verdict = 'text';
    return this.verdict === 'text' ? this.end() : '';
  }

  /** @returns the text that is still held back */
  end(): string {
    const { held } = this;
    this.held = '';
    return held;
  }
}

const HEAD = /^\s*\{\s*"name"\s*:\s*("(?:[^"\\]|\\.)*")\s*,\s*"(?:arguments|parameters)"\s*:/s;
const BLANK = /\s/;

/**
 * Reads `{"name": …, "arguments": …}` while the model writes it, the members in this order and no others. A constraint
 * makes it JSON, so only the end of the arguments is looked for.
 */
export class WrittenCall {
  /** Null until its name is known and its arguments begin. */
  name: string | null = null;
  /** The call has been written to its end. */
  isWhole = false;

  /** Text before the arguments. */
  private head = '';
  private depth = 0;
  private hasBegun = false;
  private isOver = false;
  private isInString = false;
  private isEscaped = false;

  /** @returns the part of the arguments in the text; may be empty */
  push(text: string): string {
    if (this.name !== null) return this.read(text);
    this.head += text;
    const [written = '', name] = HEAD.exec(this.head) ?? [];
    if (name === undefined) return '';
    this.name = JSON.parse(name) as string;
    return this.read(this.head.slice(written.length));
  }

  private read(text: string): string {
    let part = '';
    for (const char of text) {
      if (this.isOver) this.isWhole ||= char === '}';
      else if (this.isOfArguments(char)) part += char;
    }
    return part;
  }

  private isOfArguments(char: string): boolean {
    if (this.isInString) {
      this.readInString(char);
      return true;
    }
    if (this.depth === 0 && BLANK.test(char)) {
      this.isOver = this.hasBegun;
      return false;
    }
    this.hasBegun = true;
    if (char === '"') this.isInString = true;
    else if (char === '{' || char === '[') this.depth += 1;
    else if (char === '}' || char === ']') return this.close();
    return true;
  }

  private readInString(char: string): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (char === '\\') this.isEscaped = true;
    else if (char === '"') {
      this.isInString = false;
      this.isOver = this.depth === 0;
    }
  }

  /** @returns false: the bracket closes the call itself, around arguments such as a number */
  private close(): boolean {
    this.isWhole = this.depth === 0;
    this.isOver = this.depth <= 1;
    this.depth -= 1;
    return !this.isWhole;
  }
}

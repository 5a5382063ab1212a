import { ValueTail } from '@hone/json';

const HEAD = /^\s*\{\s*"name"\s*:\s*("(?:[^"\\]|\\.)*")\s*,\s*"(?:arguments|parameters)"\s*:/s;

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
  private readonly args = new ValueTail();
  private hasBegun = false;
  private isOver = false;

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
    const rest = this.hasBegun ? text : text.trimStart();
    this.hasBegun ||= rest !== '';
    const end = this.isOver ? 0 : this.args.skip(rest);
    if (end < 0) return rest;
    this.isOver = true;
    this.isWhole ||= rest.includes('}', end);
    return rest.slice(0, end);
  }
}

import type { ReasoningForm } from './reasoning-form.js';

/** A piece of an answer's text; never empty. */
export interface SplitText {
  readonly kind: 'reasoning' | 'text';
  readonly text: string;
}

/** Characters before the marker; no model writes that much white space before it thinks. */
const MOST_HELD = 64;

/** Where the text so far has led: before the answer's first character, in the reasoning, after it, or in the answer. */
type State = 'start' | 'reasoning' | 'gap' | 'text';

/**
 * Splits the text of one choice, as it comes, into reasoning and answer. White space around the reasoning belongs to
 * neither: chat templates write it back themselves. An answer that does not begin with the marker has no reasoning.
 */
export class ReasoningSplitter {
  private state: State;
  /** Text that may be the beginning of a marker. */
  private held = '';
  /** White space that is dropped if the reasoning ends after it. */
  private space = '';
  private hasThought = false;

  /** @param isOpen the prompt has the beginning marker already */
  constructor(
    private readonly form: ReasoningForm,
    isOpen: boolean,
  ) {
    this.state = isOpen ? 'reasoning' : 'start';
  }

  push(text: string): SplitText[] {
    const parts: SplitText[] = [];
    let rest = this.held + text;
    this.held = '';
    if (this.state === 'start') rest = this.open(rest);
    if (this.state === 'reasoning') rest = this.think(rest, parts);
    if (this.state === 'gap') {
      rest = rest.trimStart();
      if (rest !== '') this.state = 'text';
    }
    if (this.state === 'text' && rest !== '') parts.push({ kind: 'text', text: rest });
    return parts;
  }

  /** No more text comes, or a tool call: what was held is no marker. */
  end(): SplitText[] {
    const { held, state } = this;
    this.held = '';
    this.state = 'text';
    if (held === '') return [];
    return state === 'reasoning' ? [{ kind: 'reasoning', text: this.space + held }] : [{ kind: 'text', text: held }];
  }

  /** @returns the text after the beginning marker, or all of it where there is none */
  private open(text: string): string {
    const { begin } = this.form;
    const trimmed = text.trimStart();
    if (trimmed.length < begin.length && begin.startsWith(trimmed) && text.length <= MOST_HELD) {
      this.held = text;
      return '';
    }
    this.state = trimmed.startsWith(begin) ? 'reasoning' : 'text';
    return this.state === 'reasoning' ? trimmed.slice(begin.length) : text;
  }

  /** @returns the text after the end marker; empty: it is still to come */
  private think(text: string, parts: SplitText[]): string {
    const { end } = this.form;
    const at = text.indexOf(end);
    const known = at >= 0 ? text.slice(0, at) : text.slice(0, text.length - lengthOfPrefixAtEnd(text, end));
    const visible = known.trimEnd();
    if (visible !== '') {
      parts.push({ kind: 'reasoning', text: this.hasThought ? this.space + visible : visible.trimStart() });
      this.hasThought = true;
      this.space = '';
    }
    if (at >= 0) {
      this.state = 'gap';
      return text.slice(at + end.length);
    }
    if (this.hasThought) this.space += known.slice(visible.length);
    this.held = text.slice(known.length);
    return '';
  }
}

/** How many characters at the end of a text may be the beginning of a marker. */
function lengthOfPrefixAtEnd(text: string, marker: string): number {
  for (let length = Math.min(marker.length - 1, text.length); length > 0; length -= 1) {
    if (text.endsWith(marker.slice(0, length))) return length;
  }
  return 0;
}

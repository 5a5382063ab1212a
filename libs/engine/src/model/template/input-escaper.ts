import { isJsonObject } from '@hone/json';

import type { ControlMarkers } from '../tokenizer/control-markers.js';

/**
 * Keeps user input from becoming control tokens. Before rendering, a sentinel, a character that occurs nowhere in the
 * input, goes into each control marker of the input: every intact marker in the rendering comes from the template. Then
 * the sentinels are removed from the text between the markers.
 */
export class InputEscaper {
  /** Marks the end of the text to keep: the rendering is cut there. */
  readonly cut: string;
  private readonly sentinel: string;

  /**
   * @param input everything that comes from users
   * @param literals strings that the template compares with: they stay unchanged
   */
  constructor(
    private readonly markers: ControlMarkers,
    private readonly literals: ReadonlySet<string>,
    input: unknown,
  ) {
    [this.sentinel, this.cut] = unusedCharacters(JSON.stringify(input) ?? '');
  }

  /** The input with the sentinel in every marker, in strings and keys at any depth. */
  escape(value: unknown): unknown {
    if (typeof value === 'string') return this.escapeText(value);
    if (Array.isArray(value)) return value.map((item) => this.escape(item));
    if (!isJsonObject(value)) return value;
    const entries = Object.entries(value);
    return Object.fromEntries(
      entries.map(([key, item]) => [this.markers.escape(key, this.sentinel), this.escape(item)]),
    );
  }

  /** Removes the sentinels. */
  unescape(text: string): string {
    return text.replaceAll(this.sentinel, '').replaceAll(this.cut, '');
  }

  private escapeText(text: string): string {
    const isKnown = this.literals.has(text) && !this.markers.contains(text);
    return isKnown ? text : this.markers.escapeWithEdges(text, this.sentinel);
  }
}

/** Two characters of the private use area, which texts rarely contain and this one does not. */
function unusedCharacters(text: string): [string, string] {
  const unused: string[] = [];
  for (let code = 0xf8ff; code >= 0xe000 && unused.length < 2; code--) {
    const character = String.fromCharCode(code);
    if (!text.includes(character)) unused.push(character);
  }
  if (unused.length < 2) throw new RangeError('The input uses every private character.');
  return unused as [string, string];
}

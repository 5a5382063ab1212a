import type { ControlMarkers } from './control-markers.js';
import { isJsonObject } from './json-fields.js';

/**
 * Keeps what users wrote from becoming control tokens. Before rendering, a character that occurs nowhere in the
 * input is put into each control marker of the input; every marker after rendering was written by the
 * template. Then the characters are taken out of the text between the markers.
 */
export class InputShield {
  /** Marks the end of the text to keep: the rendering is cut there. */
  readonly cut: string;
  private readonly shield: string;

  /**
   * @param input everything that users gave
   * @param literals strings that the template knows: it compares with them, so they stay whole
   */
  constructor(
    private readonly markers: ControlMarkers,
    private readonly literals: ReadonlySet<string>,
    input: unknown,
  ) {
    [this.shield, this.cut] = unusedCharacters(JSON.stringify(input) ?? '');
  }

  /** The input with a shield in every marker, in strings and keys at any depth. */
  protect(value: unknown): unknown {
    if (typeof value === 'string') return this.protectText(value);
    if (Array.isArray(value)) return value.map((item) => this.protect(item));
    if (!isJsonObject(value)) return value;
    const entries = Object.entries(value);
    return Object.fromEntries(
      entries.map(([key, item]) => [this.markers.shield(key, this.shield), this.protect(item)]),
    );
  }

  /** Takes the shields out again. */
  remove(text: string): string {
    return text.replaceAll(this.shield, '').replaceAll(this.cut, '');
  }

  private protectText(text: string): string {
    const isKnown = this.literals.has(text) && !this.markers.contains(text);
    return isKnown ? text : this.markers.shieldWithEdges(text, this.shield);
  }
}

/** Two characters of the private use area, which text rarely holds, and this one never. */
function unusedCharacters(text: string): [string, string] {
  const unused: string[] = [];
  for (let code = 0xf8ff; code >= 0xe000 && unused.length < 2; code--) {
    const character = String.fromCharCode(code);
    if (!text.includes(character)) unused.push(character);
  }
  if (unused.length < 2) throw new RangeError('The input uses every private character.');
  return unused as [string, string];
}

import type { AddedToken } from './tokenizer-file.js';

/** A piece of a text: plain text, or a control token. */
export type TextSegment = string | AddedToken;

/**
 * The texts of a tokenizer's control tokens, such as `<|end|>`: finding them in a template's rendering, and
 * keeping those that a user wrote from being found.
 */
export class ControlMarkers {
  private readonly byContent: ReadonlyMap<string, AddedToken>;
  private readonly pattern: RegExp | null;
  /** Proper substrings of markers: neighbouring text could complete one. */
  private readonly beginnings = new Set<string>();
  private readonly endings = new Set<string>();
  private readonly contents: readonly string[];

  constructor(addedTokens: readonly AddedToken[]) {
    // A marker of one character is indistinguishable from text.
    const markers = addedTokens.filter(({ special, content }) => special && content.length > 1);
    this.byContent = new Map(markers.map((token) => [token.content, token]));
    // The longest first: `<|end|>x` may be a marker as well.
    this.contents = [...this.byContent.keys()].sort((a, b) => b.length - a.length);
    const pattern = this.contents.map(escapePattern).join('|');
    this.pattern = pattern === '' ? null : new RegExp(pattern, 'g');
    for (const content of this.contents) {
      for (let cut = 1; cut < content.length; cut++) {
        this.beginnings.add(content.slice(0, cut));
        this.endings.add(content.slice(cut));
      }
    }
  }

  /** Cuts a text at its markers. Blanks that a marker claims for itself are taken away. */
  split(text: string): TextSegment[] {
    const segments: TextSegment[] = [];
    let done = 0;
    for (const match of this.pattern ? text.matchAll(this.pattern) : []) {
      const token = this.byContent.get(match[0])!;
      const before = trimAfter(text.slice(done, match.index), segments.at(-1));
      segments.push(token.lstrip ? before.trimEnd() : before, token);
      done = match.index + match[0].length;
    }
    segments.push(trimAfter(text.slice(done), segments.at(-1)));
    return segments.filter((segment) => segment !== '');
  }

  contains(text: string): boolean {
    return this.pattern !== null && text.search(this.pattern) >= 0;
  }

  /** Puts `sentinel` into every marker of the text, so that it is no marker until the sentinels are removed. */
  escape(text: string, sentinel: string): string {
    return this.pattern ? text.replace(this.pattern, (marker) => marker[0] + sentinel + marker.slice(1)) : text;
  }

  /** The same, and no neighbour in the rendering can complete a marker of which this text is a part. */
  escapeWithEdges(text: string, sentinel: string): string {
    const inner = this.escape(text, sentinel);
    if (text === '') return text;
    const within = this.contents.some((content) => content.includes(text));
    const begins = within || this.isPart(text.length, (length) => this.endings.has(text.slice(0, length)));
    const ends = within || this.isPart(text.length, (length) => this.beginnings.has(text.slice(text.length - length)));
    return (begins ? sentinel : '') + inner + (ends ? sentinel : '');
  }

  /** Whether some length up to `longest` fits; a text as long as the longest marker is no proper substring. */
  private isPart(longest: number, fits: (length: number) => boolean): boolean {
    const last = Math.min(longest, (this.contents[0]?.length ?? 0) - 1);
    for (let length = 1; length <= last; length++) if (fits(length)) return true;
    return false;
  }
}

function trimAfter(text: string, previous: TextSegment | undefined): string {
  return typeof previous === 'object' && previous.rstrip ? text.trimStart() : text;
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

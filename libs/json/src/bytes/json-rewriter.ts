import { IS_CLOSING, IS_COLON, IS_COMMA, IS_OPENING, IS_QUOTE, KINDS, OPENING_BRACE } from '../tokens/characters.js';
import { StringTail } from '../tokens/string-tail.js';

const TOKENS = IS_QUOTE | IS_OPENING | IS_CLOSING | IS_COLON | IS_COMMA;

/** The object or array around a key or value, as a subclass describes it; the root is no object. */
export interface JsonScope {
  readonly isObject: boolean;
}

/**
 * Rewrites JSON, one value or several, while it arrives in pieces. Nothing is parsed: numbers and escapes stay byte for
 * byte as they are, each byte is looked at once, and what is no JSON passes as it is. Subclasses keep track of where they
 * are, and replace keys and strings.
 */
export abstract class JsonRewriter<Scope extends JsonScope> {
  /** The beginning of a string that the subclass cannot decide about until more of it arrives. */
  private held: Buffer | undefined;
  private readonly writeString = StringTail.ofBytes();
  /** The object or array that has not ended. */
  protected scope: Scope;
  /** Those around it, outermost first. */
  private readonly outer: Scope[] = [];
  private isKeyNext = false;
  private source: Buffer = Buffer.alloc(0);
  private parts: Buffer[] = [];
  /** Offset in the source up to which it is among the parts. */
  private from = 0;

  constructor(private readonly root: () => Scope) {
    this.scope = root();
  }

  /** @returns the rewritten bytes as far as they are decided; the rest comes with the next piece */
  push(piece: Buffer): Buffer {
    const source = this.held ? Buffer.concat([this.held, piece]) : piece;
    this.held = undefined;
    return this.rewrite(source, false);
  }

  /** @returns the rest */
  end(): Buffer {
    const held = this.held;
    this.held = undefined;
    return held ? this.rewrite(held, true) : Buffer.alloc(0);
  }

  /** An object or array begins. @returns its scope */
  protected abstract open(isObject: boolean): Scope;

  /** {@link scope} ends. @param at offset of its closing character */
  protected abstract close(at: number): void;

  /** The next member or item of {@link scope} follows, if there is one. */
  protected abstract nextMember(): void;

  /**
   * A key, or a string that is a value, begins.
   *
   * @param at offset of its first quote
   * @param isLast nothing follows the source
   * @returns offset to go on from: after the string, or the one of {@link skipString}; undefined: too little of it is there
   */
  protected abstract key(source: Buffer, at: number, isLast: boolean): number | undefined;
  protected abstract string(source: Buffer, at: number, isLast: boolean): number | undefined;

  /** Leaves the rest of the string whose first quote is at `at` unchanged. */
  protected skipString(at: number): number {
    this.writeString.isInside = true;
    return at + 1;
  }

  /** Replaces the bytes `start` to `end` (exclusive) of the source; none before an earlier replacement. */
  protected replace(start: number, end: number, bytes: Buffer): void {
    this.parts.push(this.source.subarray(this.from, start), bytes);
    this.from = end;
  }

  private rewrite(source: Buffer, isLast: boolean): Buffer {
    this.source = source;
    this.from = 0;
    for (let at = 0; at < source.length;) {
      if (this.writeString.isInside) {
        at = this.writeString.skip(source, at);
        continue;
      }
      const kind = KINDS[source[at] as number] as number;
      if ((kind & TOKENS) === 0) {
        at++;
        continue;
      }
      const next = this.token(kind, source, at, isLast);
      if (next === undefined) {
        this.held = source.subarray(at);
        return this.takeUpTo(at);
      }
      at = next;
    }
    return this.takeUpTo(source.length);
  }

  /** @returns offset to go on from; undefined: too little of a string is there */
  private token(kind: number, source: Buffer, at: number, isLast: boolean): number | undefined {
    switch (kind) {
      case IS_QUOTE:
        return this.isKeyNext ? this.key(source, at, isLast) : this.string(source, at, isLast);
      case IS_OPENING:
        this.outer.push(this.scope);
        this.isKeyNext = source[at] === OPENING_BRACE;
        this.scope = this.open(this.isKeyNext);
        break;
      case IS_COLON:
        this.isKeyNext = false;
        break;
      case IS_COMMA:
        this.isKeyNext = this.scope.isObject;
        this.nextMember();
        break;
      default:
        this.close(at);
        this.scope = this.outer.pop() ?? this.root();
        this.isKeyNext = false;
        this.nextMember();
    }
    return at + 1;
  }

  private takeUpTo(end: number): Buffer {
    const rest = this.source.subarray(this.from, end);
    if (this.parts.length === 0) return rest;
    const taken = Buffer.concat([...this.parts, rest]);
    this.parts = [];
    return taken;
  }
}

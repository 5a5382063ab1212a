import { ConstraintTooLargeError } from '../constraint.errors.js';

const MAX_GRAMMAR_CHARACTERS = 400_000;
/** Default limit on the automaton states of a constraint's patterns, with repetitions unrolled. */
export const DEFAULT_MAX_STATES = 200_000;
/** Default number of repetitions that are counted one by one. */
export const DEFAULT_COUNTED = 32;

/**
 * Builds the rules of a grammar in xgrammar's EBNF. Expressions are strings of that notation. Every function that makes
 * one adds the brackets that it needs to stand anywhere.
 */
export class Rules {
  private readonly lines = new Map<string, string>();
  /** Names of rules by the key of their content. */
  private readonly known = new Map<string, string>();
  private characters = 0;
  private states = 0;

  /**
   * @param maxStates of all its patterns together
   * @param counted how many repetitions are counted one by one, see `repeated`
   */
  constructor(
    private readonly maxStates = DEFAULT_MAX_STATES,
    readonly counted = DEFAULT_COUNTED,
  ) {}

  /** Counts a pattern's states before it is written. @throws ConstraintTooLargeError */
  addStates(count: number): void {
    this.states += count;
    if (this.states > this.maxStates) {
      throw new ConstraintTooLargeError(`The patterns have more than ${this.maxStates} states.`);
    }
  }

  /** A rule of its own, made once per name: `body` may refer to the rule that is being made. */
  define(name: string, body: () => string): string {
    if (!this.lines.has(name)) {
      this.lines.set(name, '');
      this.set(name, body());
    }
    return name;
  }

  /** Adds a rule under a new name. */
  add(hint: string, body: string): string {
    const name = `${hint}_${this.lines.size}`;
    this.set(name, body);
    return name;
  }

  /** A rule of its own, made once per `key`: `body` may refer to it by its name. */
  once(hint: string, key: string, body: (own: string) => string): string {
    const name = this.known.get(key) ?? `${hint}_${this.lines.size}`;
    this.known.set(key, name);
    return this.define(name, () => body(name));
  }

  /** The grammar, with `root` as what the whole text must be. */
  toString(root: string): string {
    return [`root ::= ${root}`, ...Array.from(this.lines, ([name, body]) => `${name} ::= ${body}`)].join('\n');
  }

  private set(name: string, body: string): void {
    this.lines.set(name, body);
    this.characters += name.length + body.length;
    if (this.characters > MAX_GRAMMAR_CHARACTERS) {
      throw new ConstraintTooLargeError(`The grammar is longer than ${MAX_GRAMMAR_CHARACTERS} characters.`);
    }
  }
}

/** Exactly this text. */
export function literal(text: string): string {
  return `"${Array.from(text, escapeCharacter).join('')}"`;
}

/** A sequence of all parts. */
export function sequence(...parts: readonly string[]): string {
  const kept = parts.filter((part) => part !== EMPTY);
  return kept.length === 0 ? EMPTY : kept.length === 1 ? (kept[0] as string) : `(${kept.join(' ')})`;
}

/** An alternative of the parts, at least one. */
export function oneOf(parts: readonly string[]): string {
  const distinct = [...new Set(parts)];
  return distinct.length === 1 ? (distinct[0] as string) : `(${distinct.join(' | ')})`;
}

/** `part` at least `min` and at most `max` times; null: no upper limit. */
export function repeat(part: string, min: number, max: number | null): string {
  if (max === 0 || part === EMPTY) return EMPTY;
  if (min === 1 && max === 1) return part;
  if (min === 0 && max === 1) return oneOf([EMPTY, part]);
  const item = /^\w+$/.test(part) || isClass(part) ? part : `(${part})`;
  if (max === null && min < 2) return `(${item}${min === 0 ? '*' : '+'})`;
  return `(${item}{${min},${max ?? ''}})`;
}

/** True for an expression that is one character class and nothing else. */
export function isClass(expression: string): boolean {
  return /^\[(?:[^\]\\]|\\.)*\]$/.test(expression);
}

export const EMPTY = '""';

/**
 * Characters as xgrammar's literals and classes write them. Never `\x`: it takes every hexadecimal digit that
 * follows.
 */
export function escapeCharacter(character: string): string {
  if (/^[\w ]$/.test(character)) return character;
  const code = character.codePointAt(0) as number;
  const hex = code.toString(16).toUpperCase();
  return code > 0xffff ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`;
}

import { QueryError } from './query.js';

/** A word of a query. `path`: its parts between dots; quoted parts may contain anything. */
export interface Token {
  readonly kind: 'word' | 'string' | 'sign';
  /** As it stands in the query; of a string, what is within its quotes. */
  readonly text: string;
  /** Of a word. */
  readonly path: readonly string[];
  /** Whether a part of the word is in quotes: it is then a path and no value. */
  readonly isQuoted: boolean;
  readonly start: number;
  readonly end: number;
  /** The quotes are not closed yet. */
  readonly isOpen: boolean;
}

export const MAX_CHARACTERS = 4_096;
const SIGNS = /^(?:<=|>=|!=|[=<>(),])/;
/** What may be in a part of a word. */
const BARE = /^[^\s"'(),=<>!.]+/u;
const ESCAPES: Readonly<Record<string, string>> = {
  ...{ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' },
  ...{ '"': '"', "'": "'", '\\': '\\', '/': '/' },
};

/** Whether a part of a path needs no quotes. */
export const isBare = (part: string): boolean => part.match(BARE)?.[0] === part;

/** @throws QueryError */
export function tokensOf(text: string): Token[] {
  if (text.length > MAX_CHARACTERS)
    throw new QueryError(`A query has at most ${MAX_CHARACTERS} characters.`, MAX_CHARACTERS, text.length);
  const tokens: Token[] = [];
  for (let at = afterBlanks(text, 0); at < text.length; at = afterBlanks(text, at)) {
    const token = readToken(text, at);
    tokens.push(token);
    at = token.end;
  }
  return tokens;
}

const afterBlanks = (text: string, at: number): number => at + (/^\s*/.exec(text.slice(at))?.[0].length ?? 0);

function readToken(text: string, start: number): Token {
  const made = { start, path: [], isQuoted: false, isOpen: false };
  const sign = SIGNS.exec(text.slice(start, start + 2))?.[0];
  if (sign) return { ...made, kind: 'sign', text: sign, end: start + sign.length };
  if (isQuote(text[start])) {
    const { value, end, isOpen } = readString(text, start);
    return { ...made, kind: 'string', text: value, end, isOpen };
  }
  return readWord(text, start);
}

const isQuote = (character: string | undefined): boolean => character === '"' || character === "'";

function readWord(text: string, start: number): Token {
  const path: string[] = [];
  let [end, isQuoted, isOpen] = [start, false, false];
  for (;;) {
    if (isQuote(text[end]) && end > start) {
      const part = readString(text, end);
      path.push(part.value);
      [end, isQuoted, isOpen] = [part.end, true, part.isOpen];
    } else {
      const part = BARE.exec(text.slice(end))?.[0] ?? '';
      path.push(part);
      end += part.length;
    }
    if (text[end] !== '.') break;
    end += 1;
  }
  if (end === start) throw new QueryError(`“${text[start]}” stands for nothing here.`, start, start + 1);
  return { kind: 'word', text: text.slice(start, end), path, isQuoted, start, end, isOpen };
}

/** A text in quotes, with the escapes of JSON. */
function readString(text: string, start: number): { value: string; end: number; isOpen: boolean } {
  const quote = text[start];
  let value = '';
  for (let at = start + 1; at < text.length; at++) {
    const character = text[at] as string;
    if (character === quote) return { value, end: at + 1, isOpen: false };
    if (character !== '\\') {
      value += character;
      continue;
    }
    const escape = readEscape(text, at);
    value += escape.value;
    at = escape.end - 1;
  }
  return { value, end: text.length, isOpen: true };
}

function readEscape(text: string, start: number): { value: string; end: number } {
  const letter = text[start + 1];
  if (letter !== undefined && Object.hasOwn(ESCAPES, letter))
    return { value: ESCAPES[letter] as string, end: start + 2 };
  const code = /^u([0-9a-fA-F]{4})/.exec(text.slice(start + 1, start + 6))?.[1];
  if (code !== undefined) return { value: String.fromCharCode(parseInt(code, 16)), end: start + 6 };
  throw new QueryError(
    'After a backslash come n, t, r, b, f, a quote, a backslash or u and four digits.',
    start,
    Math.min(start + 2, text.length),
  );
}

import { parse, type Template, tokenize } from '@huggingface/jinja';

/** A template as the interpreter takes it. */
export type Program = Pick<Template, 'parsed'>;

interface Token {
  value: string;
  type: string;
}

/** Words after which a parenthesis opens a tuple or a group; after another word it opens the arguments of a call. */
const OPERATORS = new Set(['in', 'not', 'and', 'or', 'if', 'elif', 'else', 'is', 'for', 'set', 'return', 'do']);
const CALLABLE = new Set(['Identifier', 'CloseParen', 'CloseSquareBracket']);
/** As transformers renders chat templates. */
const OPTIONS = { lstrip_blocks: true, trim_blocks: true };

/**
 * Parses Jinja, also where the library's parser stops: tuples of one element and of none, trailing commas of arguments,
 * and `recursive` of loops, which the interpreter finds by their calls of `loop`.
 *
 * @throws Error it is not valid Jinja
 */
export function parseTemplate(text: string): Program {
  const tokens = withoutRecursive(withLists(tokenize(text, OPTIONS) as unknown as Token[]));
  return { parsed: parse(tokens as unknown as Parameters<typeof parse>[0]) as Template['parsed'] };
}

/** Where a parenthesis opens. */
interface OpenGroup {
  readonly at: number;
  readonly isCall: boolean;
}

/** Tuples that end with a comma, or are empty, as lists, which have the same elements. */
function withLists(tokens: readonly Token[]): Token[] {
  const result: Token[] = [];
  const open: OpenGroup[] = [];
  for (const token of tokens) {
    if (token.type === 'OpenParen') open.push({ at: result.length, isCall: isCallable(result.at(-1)) });
    if (token.type !== 'CloseParen') result.push(token);
    else closeGroup(result, open.pop(), token);
  }
  return result;
}

function closeGroup(result: Token[], group: OpenGroup | undefined, close: Token): void {
  const last = result.at(-1);
  const [isEmpty, hasComma] = [last?.type === 'OpenParen', last?.type === 'Comma'];
  if (hasComma) result.pop();
  if (!group || group.isCall || !(isEmpty || hasComma)) {
    result.push(close);
    return;
  }
  result[group.at] = { value: '[', type: 'OpenSquareBracket' };
  result.push({ value: ']', type: 'CloseSquareBracket' });
}

const isCallable = (token: Token | undefined): boolean =>
  token !== undefined && CALLABLE.has(token.type) && !OPERATORS.has(token.value);

/** `recursive` stands last in a statement that begins with `for`. */
function withoutRecursive(tokens: readonly Token[]): Token[] {
  let isLoop = false;
  return tokens.filter((token, at) => {
    if (token.type === 'OpenStatement') isLoop = tokens[at + 1]?.value === 'for';
    return !(
      isLoop &&
      isRecursive(token) &&
      tokens[at + 1]?.type === 'CloseStatement' &&
      tokens[at - 1]?.value !== 'in'
    );
  });
}

const isRecursive = ({ type, value }: Token): boolean => type === 'Identifier' && value === 'recursive';

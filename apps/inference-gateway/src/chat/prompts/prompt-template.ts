import { type Issue, PROMPT_VARIABLE, promptMessagesOf } from '@hone/contracts';
import { isJsonObject, JsonParseError, type JsonValue, parseJson, stringifyJson } from '@hone/json';

import { BodyOverLimitError } from '../../http/body.errors.js';
import { InvalidRequestError } from '../../shared/errors/gateway-error.js';

const MAX_LEVELS = 64;
const MAX_ISSUES = 10;

/** Messages of a prompt object, as JSON with places for its variables. */
export class PromptTemplate {
  /** JSON before the first variable, between two, and after the last. */
  private readonly texts: string[] = [];
  /** Names of the variables, in the order of their places. */
  private readonly places: string[] = [];

  /**
   * @param messages JSON of the list
   * @param model that the prompt asks for; null: none
   */
  private constructor(
    messages: string,
    readonly model: string | null,
  ) {
    let at = 0;
    for (const match of messages.matchAll(PROMPT_VARIABLE)) {
      this.texts.push(messages.slice(at, match.index));
      this.places.push(match[1] as string);
      at = match.index + match[0].length;
    }
    this.texts.push(messages.slice(at));
  }

  /**
   * Reads the value of an object: one with `messages`, or a `StringPrompt`, whose text is a system message.
   *
   * @returns null: it is no prompt
   */
  static read(json: string): PromptTemplate | null {
    const value = parsed(json);
    if (!isJsonObject(value)) return null;
    const messages = promptMessagesOf(value);
    if (messages === null) return null;
    const { model } = value;
    return new PromptTemplate(stringifyJson(messages), typeof model === 'string' ? model : null);
  }

  /** About how much memory it takes, in bytes. */
  get size(): number {
    return this.texts.reduce((sum, text) => sum + 2 * text.length + 64, 64);
  }

  /**
   * The messages as JSON. What a variable says stays within the text where it stands, and is not filled itself.
   *
   * @throws InvalidRequestError variables are missing, or have no place
   * @throws BodyOverLimitError the messages would be larger than `maxBytes`
   */
  fill(variables: ReadonlyMap<string, string>, maxBytes: number): string {
    this.assertFits(variables);
    const escaped = new Map<string, { text: string; bytes: number }>();
    for (const [name, said] of variables) {
      const text = JSON.stringify(said).slice(1, -1);
      escaped.set(name, { text, bytes: Buffer.byteLength(text) });
    }
    // A variable may stand in many places: the sum is known before anything of that size is made.
    let bytes = this.texts.reduce((sum, text) => sum + text.length, 0);
    for (const name of this.places) bytes += escaped.get(name)?.bytes ?? 0;
    if (bytes > maxBytes) throw new BodyOverLimitError(maxBytes);
    return this.texts.map((text, at) => text + (escaped.get(this.places[at] ?? '')?.text ?? '')).join('');
  }

  private assertFits(variables: ReadonlyMap<string, string>): void {
    const names = new Set(this.places);
    const issues: Issue[] = [];
    for (const name of names) {
      if (!variables.has(name)) issues.push(issueOf(name, 'The prompt needs this variable', 'missing'));
    }
    for (const name of variables.keys()) {
      if (issues.length >= MAX_ISSUES) break;
      if (!names.has(name)) issues.push(issueOf(name, 'The prompt has no such variable', 'extra_forbidden'));
    }
    if (issues.length > 0) throw new InvalidRequestError(issues);
  }
}

const issueOf = (name: string, msg: string, type: Issue['type']): Issue => ({
  loc: ['body', 'prompt', 'variables', name],
  msg,
  type,
});

function parsed(json: string): JsonValue {
  try {
    return parseJson(json, { maxLevels: MAX_LEVELS });
  } catch (error) {
    if (error instanceof JsonParseError) return null;
    throw error;
  }
}

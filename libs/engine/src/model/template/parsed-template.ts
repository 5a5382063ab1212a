import { renderBounded, TemplateBoundError } from './bounded-interpreter.js';
import type { ChatMessage, MessageForm } from './chat-message.js';
import { ChatTemplateError, RoleNotSupportedError } from './chat-template.errors.js';
import type { InputEscaper } from './input-escaper.js';
import { parseTemplate, type Program } from './template-parser.js';
import { analyseTemplate, type TemplateSyntax } from './template-syntax.js';

export interface TemplateInput {
  readonly messages: readonly ChatMessage[];
  readonly [variable: string]: unknown;
}

/** The longest templates have some 20,000. */
const MAX_CHARACTERS = 1 << 20;
/** Roles that every template supports. */
const PLAIN_ROLES = new Set(['user', 'assistant']);
/** Roles that a template without role names may support. */
const COMMON_ROLES = new Set(['system', 'developer', 'tool']);
/** Templates print roles as they come, often within a control marker: others could write a marker of their own. */
const ROLE_NAME = /^[A-Za-z][\w-]*$/;

/** A chat template that was parsed once. */
export class ParsedTemplate {
  readonly syntax: TemplateSyntax;
  /** How the template wants its messages, as far as its source shows. */
  readonly form: MessageForm;
  private readonly template: Program;
  private readonly printedRoles = new Set<string>();

  /** @throws ChatTemplateError it is not valid Jinja */
  constructor(text: string) {
    if (text.length > MAX_CHARACTERS) {
      throw new ChatTemplateError(`it has ${text.length} characters, expected at most ${MAX_CHARACTERS}.`);
    }
    try {
      this.template = parseTemplate(text);
      this.syntax = analyseTemplate(this.template);
    } catch (error) {
      throw new ChatTemplateError(`it is not valid: ${messageOf(error)}`, { cause: error });
    }
    this.form = {
      parsedArguments: !/arguments\s+is\s+(not\s+)?(string|mapping)/.test(text),
      developerIsSystem: !this.syntax.literals.has('developer'),
      knowsTools: /\btool(s|_calls?)?\b/.test(text),
      knowsNoContent: /content\b['")\]]*\s*(is\s+(not\s+)?|[!=]=\s*)none\b/i.test(text),
    };
  }

  /**
   * @throws RoleNotSupportedError it fails, and a message has a role that it does not know
   * @throws ChatTemplateError it fails for another reason
   */
  render(input: TemplateInput, escaper: InputEscaper): string {
    try {
      return renderBounded(this.template, input);
    } catch (error) {
      if (error instanceof TemplateBoundError) throw new ChatTemplateError(`${error.message}.`, { cause: error });
      const stranger = input.messages.find(({ role }) => !PLAIN_ROLES.has(role) && !this.syntax.literals.has(role));
      if (stranger) throw new RoleNotSupportedError(stranger.role, { cause: error });
      throw new ChatTemplateError(escaper.unescape(messageOf(error)), { cause: error });
    }
  }

  /** @throws RoleNotSupportedError */
  assertRolesAreSupported(input: TemplateInput, escaper: InputEscaper): void {
    for (const { role } of input.messages) {
      const isKnown = PLAIN_ROLES.has(role) || (this.syntax.literals.has(role) && ROLE_NAME.test(role));
      if (isKnown || this.printedRoles.has(role)) continue;
      if (!COMMON_ROLES.has(role) || !this.prints(role, input, escaper)) throw new RoleNotSupportedError(role);
      this.printedRoles.add(role);
    }
  }

  /**
   * A template that does not name a role may print its messages like any others, or leave them out without a
   * word. A mark in such messages tells.
   */
  private prints(role: string, input: TemplateInput, escaper: InputEscaper): boolean {
    const messages = input.messages.map((message) => {
      return message.role === role ? { ...message, content: escaper.cut } : message;
    });
    return this.render({ ...input, messages }, escaper).includes(escaper.cut);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

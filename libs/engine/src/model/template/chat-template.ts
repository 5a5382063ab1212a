import type { ModelTokenizer } from '../tokenizer/tokenizer.js';
import { type ChatMessage, toTemplateMessage } from './chat-message.js';
import {
  ChatTemplateError,
  ChatTemplateInvalidError,
  ChatTemplateMissingError,
  ConversationTooLongError,
} from './chat-template.errors.js';
import type { ChatTemplateSource } from './chat-template-source.js';
import { withDescribedTools } from './described-tools.js';
import { InputEscaper } from './input-escaper.js';
import { ParsedTemplate, type TemplateInput } from './parsed-template.js';

export interface EncodeChatOptions {
  /** Functions the model may call, as in chat completions. */
  readonly tools?: readonly unknown[] | null;
  /** Documents to answer from. */
  readonly documents?: readonly unknown[] | null;
  /** Ends with the opening of an answer. Default false; never together with `continueFinalMessage`. */
  readonly addGenerationPrompt?: boolean;
  /** Ends right after the last message's text, so that the model goes on with it. Default false. */
  readonly continueFinalMessage?: boolean;
  /** Adds the tokenizer's own begin token, on top of what the template writes. Default false. */
  readonly addSpecialTokens?: boolean;
  /** Most tokens that the caller can use. A rendering that surely has more is not encoded. Default: any number. */
  readonly maxTokens?: number;
  /** Further variables for the template. */
  readonly templateKwargs?: Readonly<Record<string, unknown>>;
}

/** Variables that are not the caller's to give as kwargs. */
const OWN_INPUTS = ['messages', 'tools', 'documents', 'add_generation_prompt', 'bos_token', 'eos_token', 'pad_token'];

/** Turns conversations into token ids by the model's own Jinja template. */
export class ChatTemplate {
  private readonly parsedByText = new Map<string, ParsedTemplate>();

  constructor(
    readonly source: ChatTemplateSource,
    private readonly tokenizer: ModelTokenizer,
  ) {}

  /**
   * Renders and encodes a conversation. Markers of control tokens in what users wrote are encoded as text.
   *
   * @throws ChatTemplateMissingError the model has no template
   * @throws RoleNotSupportedError the template refuses a message's role, or would leave the message out
   * @throws ChatTemplateError the template refuses the conversation for another reason
   * @throws ConversationTooLongError it has more than `maxTokens`, and its text shows it
   */
  encodeChat(messages: readonly ChatMessage[], options: EncodeChatOptions = {}): number[] {
    const { maxTokens } = options;
    const mostCharacters = maxTokens === undefined ? Infinity : this.tokenizer.mostCharacters(maxTokens);
    const assertFits = (characters: number): void => {
      if (characters > mostCharacters) throw new ConversationTooLongError(maxTokens as number);
    };
    try {
      if (maxTokens !== undefined) assertFits(countCharacters(messages));
      const { text, escaper } = this.render(messages, options);
      assertFits(text.length);
      return this.encode(text, escaper, options);
    } catch (error) {
      throw isStackOverflow(error) ? new ChatTemplateError('it is too large or too deeply nested.') : error;
    }
  }

  /** The rendered conversation as text. It does not separate control tokens from text that looks like them: do not encode it. */
  renderText(messages: readonly ChatMessage[], options: EncodeChatOptions = {}): string {
    const { text, escaper } = this.render(messages, options);
    return escaper.unescape(text);
  }

  /** Reads the templates that there are, which are else read when they are first used. @throws ChatTemplateInvalidError */
  assertValid(): void {
    const { directory, template, toolTemplate } = this.source;
    try {
      if (template !== null) this.parse(false);
      if (toolTemplate !== null) this.parse(true);
    } catch (error) {
      throw error instanceof ChatTemplateError ? new ChatTemplateInvalidError(directory, error) : error;
    }
  }

  /** Variables that the template reads, beside those of every template. @throws ChatTemplateMissingError */
  declaredKwargs(): ReadonlySet<string> {
    const names = new Set(this.parse(false).syntax.variables);
    for (const name of OWN_INPUTS) names.delete(name);
    return names;
  }

  /** Whether the template reads `documents`; else they would be lost. @throws ChatTemplateMissingError */
  readsDocuments(): boolean {
    return this.parse(false).syntax.variables.has('documents');
  }

  private encode(text: string, escaper: InputEscaper, options: EncodeChatOptions): number[] {
    const segments = this.tokenizer.markers.split(text);
    const ids = this.tokenizer.encodeSegments(
      segments.map((segment) => (typeof segment === 'string' ? escaper.unescape(segment) : segment)),
    );
    return options.addSpecialTokens ? this.tokenizer.addSpecialTokens(ids) : ids;
  }

  private render(
    messages: readonly ChatMessage[],
    options: EncodeChatOptions,
  ): { text: string; escaper: InputEscaper } {
    const { documents = null, templateKwargs = {}, continueFinalMessage = false } = options;
    const template = this.parse((options.tools?.length ?? 0) > 0);
    const formed = messages.map((message) => toTemplateMessage(message, template.form));
    const describes = !!options.tools?.length && !template.form.knowsTools;
    const tools = describes ? null : (options.tools ?? null);
    const conversation = describes ? withDescribedTools(formed, options.tools) : formed;
    const given = { templateKwargs, messages: conversation, tools, documents };
    const escaper = new InputEscaper(this.tokenizer.markers, template.syntax.literals, given);
    const { templateKwargs: kwargs, ...safe } = escaper.escape(given) as typeof given;
    const input: TemplateInput = {
      ...kwargs,
      ...this.source.specialTokens,
      ...safe,
      // Roles make markers in some templates. They are checked instead.
      messages: safe.messages.map((message, index) => ({ ...message, role: conversation[index]!.role })),
      add_generation_prompt: options.addGenerationPrompt === true && !continueFinalMessage,
    };
    template.assertRolesAreSupported(input, escaper);
    if (!continueFinalMessage) return { text: template.render(input, escaper), escaper };
    const last = conversation.length - 1;
    const marked = { ...input, messages: input.messages.with(last, withCut(input.messages[last], escaper.cut)) };
    return { text: cutAt(template.render(marked, escaper), escaper.cut), escaper };
  }

  private parse(withTools: boolean): ParsedTemplate {
    const text = (withTools && this.source.toolTemplate) || this.source.template;
    if (text === null) throw new ChatTemplateMissingError(this.source.directory);
    let parsed = this.parsedByText.get(text);
    if (!parsed) this.parsedByText.set(text, (parsed = new ParsedTemplate(text)));
    return parsed;
  }
}

/** Of all strings in it. Not recursive: what it counts may be nested deeply. */
function countCharacters(value: unknown): number {
  let characters = 0;
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string') characters += next.length;
    else if (typeof next === 'object' && next !== null) for (const item of Object.values(next)) open.push(item);
  }
  return characters;
}

/** Templates and regular expressions use the stack in proportion to what they are given. */
function isStackOverflow(error: unknown): boolean {
  if (error instanceof ChatTemplateError) return isStackOverflow(error.cause);
  return error instanceof RangeError && /call stack/.test(error.message);
}

function withCut(message: ChatMessage | undefined, cut: string): ChatMessage {
  const content = message?.content ?? '';
  if (!message || typeof content !== 'string') throw new ChatTemplateError('there is no last text to go on with.');
  return { ...message, content: content + cut };
}

function cutAt(text: string, cut: string): string {
  const at = text.lastIndexOf(cut);
  if (at < 0) throw new ChatTemplateError('it does not show the last text, which the answer should go on with.');
  return text.slice(0, at);
}

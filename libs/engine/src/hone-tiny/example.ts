import type { Random } from './random.js';

/** A function that the assistant may call, as in the chat completions interface. */
export interface ToolDefinition {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    /** JSON Schema of the arguments. */
    readonly parameters: Readonly<Record<string, unknown>>;
  };
}

export interface ToolCall {
  readonly type: 'function';
  /** `arguments` is JSON text. */
  readonly function: { readonly name: string; readonly arguments: string };
}

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  /** Null with tool calls alone. */
  readonly content: string | null;
  readonly tool_calls?: readonly ToolCall[];
}

/** A conversation that ends with the assistant's answer. */
export interface Conversation {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ToolDefinition[];
  /**
   * The same answer in more words, and the share of the training data that gives it. A family with it is left
   * undecided on purpose: which form is wanted is what reinforcement learning can teach. Right is the plain form.
   */
  readonly otherForm?: { readonly answer: string; readonly share: number };
}

/** A conversation whose last answer follows from what was asked, so that any other text is wrong. */
export interface Example extends Conversation {
  /** Name of the family. */
  readonly family: string;
  /** Exactly what is generated up to, without, `<|end|>`; special tokens are written as their text. */
  readonly answer: string;
}

/** One kind of instruction. */
export interface Family {
  readonly name: string;
  /**
   * True when the prompts are few: then examples for evaluation may also occur in training, and only their phrasing
   * varies. Otherwise a prompt is either for training or for evaluation, never for both.
   */
  readonly closed: boolean;
  example(random: Random): Conversation;
}

/** The usual conversation: one question, one answer. */
export const question = (prompt: string, answer: string): Conversation => ({
  messages: [
    { role: 'user', content: prompt },
    { role: 'assistant', content: answer },
  ],
});

/** The messages before the answer: what a model is given. */
export const promptOf = (conversation: Conversation): readonly ChatMessage[] => conversation.messages.slice(0, -1);

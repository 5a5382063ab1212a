import type { PlanningTokenizer } from './planning-tokenizer.js';
import type { ChoiceInput } from './trajectory-input.js';

const ROLES = ['system', 'user', 'assistant', 'tool'];
/** Ids of the letter tokenizer: 1 to 4 open a turn of a role, 5 ends it, 6 opens the tools, a character is its code. */
export const ID = { system: 1, user: 2, assistant: 3, tool: 4, end: 5, tools: 6 } as const;
export const VOCABULARY = 128;

interface Message {
  role: string;
  content?: string | null;
  tool_calls?: { function: { name: string; arguments: string } }[];
}

export const idsOf = (text: string): number[] => Array.from(text, (character) => character.charCodeAt(0));

/** One token for each character; its template is a plain chain of turns. */
export const LETTERS: PlanningTokenizer = {
  vocabSize: VOCABULARY,
  encodeChat(messages, { tools, addGenerationPrompt }) {
    const turns = (messages as Message[]).flatMap(({ role, content }) => {
      if (!ROLES.includes(role)) throw new Error(`no role ${role}`);
      return [ROLES.indexOf(role) + 1, ...idsOf(content ?? ''), ID.end];
    });
    return [...(tools ? [ID.tools, tools.length] : []), ...turns, ...(addGenerationPrompt ? [ID.assistant] : [])];
  },
};

/** A template that, as some do, leaves out earlier answers. */
export const FORGETFUL: PlanningTokenizer = {
  vocabSize: VOCABULARY,
  encodeChat(messages, options) {
    const kept = (messages as Message[]).map((message, at) =>
      message.role === 'assistant' && at < messages.length - 1 ? { ...message, content: '' } : message,
    );
    return LETTERS.encodeChat(kept, options);
  },
};

type Options = Parameters<PlanningTokenizer['encodeChat']>[1];

const rewriting = (rewrite: (messages: Message[], options: Options) => Message[]): PlanningTokenizer => ({
  vocabSize: VOCABULARY,
  encodeChat: (messages, options) => LETTERS.encodeChat(rewrite(messages as Message[], options), options),
});

/** A template that writes calls as `name(arguments)`, where the tools are as it needs them. */
export const withCalls = (writes: (tools: Options['tools']) => boolean): PlanningTokenizer =>
  rewriting((messages, { tools }) =>
    messages.map((message) => {
      const calls = writes(tools) ? (message.tool_calls ?? []) : [];
      const written = calls.map(({ function: { name, arguments: given } }) => `${name}(${given})`);
      return { ...message, content: (message.content ?? '') + written.join('') };
    }),
  );

/** A template that reads the first message, whether there is one or not. */
export const withoutEmpty = (): PlanningTokenizer =>
  rewriting((messages) => {
    if (messages.length === 0) throw new Error('Cannot access properties of undefined');
    return messages;
  });

/** A template that writes a system message where none is sent. */
export const withSystem = (): PlanningTokenizer =>
  rewriting((messages) =>
    messages.length > 0 && messages[0]?.role !== 'system' ? [{ role: 'system', content: 's' }, ...messages] : messages,
  );

/** A template that takes turns of the user and the assistant in turn, the user's first. */
export const alternating = (): PlanningTokenizer =>
  rewriting((messages) => {
    const isWrong = messages.some(({ role }, at) => role !== (at % 2 === 0 ? 'user' : 'assistant'));
    if (isWrong) throw new Error('Conversation roles must alternate');
    return messages;
  });

export const user = (content: string) => ({ role: 'user', content });
export const assistant = (content: string) => ({ role: 'assistant', content });

/** A Choice as the gateway returns it; `logprobs` are those of `ids`. */
export function aChoice(
  prompt: readonly number[],
  ids: readonly number[],
  logprobs: readonly unknown[] = ids.map(() => -0.5),
): ChoiceInput {
  return {
    finish_reason: 'stop',
    message: assistant('...'),
    prompt_token_ids: prompt,
    token_ids: ids,
    logprobs: { content: logprobs.map((logprob) => ({ token: 'x', logprob })) },
  };
}

/** A trajectory of one answer. */
export const answering = (reward: number, prompt: readonly number[], ids: readonly number[]) => ({
  messages_and_choices: [user('?'), aChoice(prompt, ids)],
  reward,
});

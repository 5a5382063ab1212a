import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import {
  type BaseModel,
  type ChatMessage,
  type EncodeChatOptions,
  findJsonFields,
  openBaseModel,
  type OpenBaseModelOptions,
  writeDurably,
} from '../model/index.js';
import { ChatTemplateRefusedError } from './own-models.errors.js';

/** A format of conversations that models are trained on. */
interface KnownTemplate {
  readonly template: string;
  /** Token that ends an answer; null: the tokenizer's end of text. */
  readonly end: string | null;
}

const TURNS = (open: string, middle: string, close: string, rest = ''): string =>
  `{%- for message in messages -%}{{- '${open}' + message.role + '${middle}' + message.content + '${close}' -}}{%- endfor -%}` +
  `{%- if add_generation_prompt -%}{{- '${open}assistant${middle}' -}}{%- endif -%}${rest}`;

const GEMMA = `{{- bos_token -}}
{%- set first = messages[0].content + '\\n\\n' if messages[0].role == 'system' else '' -%}
{%- for message in (messages[1:] if first else messages) -%}
{%- if (message.role == 'user') != (loop.index0 % 2 == 0) -%}{{- raise_exception('Turns of user and assistant must alternate, the user first.') -}}{%- endif -%}
{{- '<start_of_turn>' + ('model' if message.role == 'assistant' else message.role) + '\\n' -}}
{{- (first if loop.first else '') + message.content | trim + '<end_of_turn>\\n' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<start_of_turn>model\\n' -}}{%- endif -%}`;

const PLAIN = `{%- for message in messages -%}
{{- {'system': 'System', 'user': 'User', 'assistant': 'Assistant'}[message.role] + ': ' + message.content -}}
{{- eos_token if message.role == 'assistant' else '' -}}{{- '\\n' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- 'Assistant: ' -}}{%- endif -%}`;

/**
 * Formats by name, as the models that came with them document them: ChatML (Qwen, SmolLM), Llama 3, Gemma, Zephyr; and
 * one that needs no tokens of its own.
 */
const KNOWN: Readonly<Record<string, KnownTemplate>> = {
  chatml: { template: TURNS('<|im_start|>', '\\n', '<|im_end|>\\n'), end: '<|im_end|>' },
  llama3: {
    template: `{{- bos_token -}}${TURNS('<|start_header_id|>', '<|end_header_id|>\\n\\n', '<|eot_id|>')}`,
    end: '<|eot_id|>',
  },
  gemma: { template: GEMMA, end: '<end_of_turn>' },
  zephyr: {
    template: TURNS('<|', '|>\\n', "' + eos_token + '\\n"),
    end: null,
  },
  plain: { template: PLAIN, end: null },
};

/** Names of the formats that are built in. */
export const TEMPLATE_NAMES = Object.keys(KNOWN);

/**
 * Gives the model of a folder a chat template.
 *
 * @param named a name of {@link TEMPLATE_NAMES}, or the path of a file
 * @throws ChatTemplateRefusedError neither; or the tokenizer lacks a token that the format needs
 */
export async function writeChatTemplate(folder: string, named: string, options: OpenBaseModelOptions): Promise<void> {
  const known = Object.hasOwn(KNOWN, named) ? KNOWN[named] : undefined;
  const text = known?.template ?? (await readFile(named, 'utf8').catch(() => null));
  if (text === null) {
    throw new ChatTemplateRefusedError(`${named} is neither a file nor one of ${TEMPLATE_NAMES.join(', ')}`);
  }
  if (known) await prepareEnd(folder, named, known.end, options);
  await writeDurably(join(folder, 'chat_template.jinja'), [Buffer.from(text, 'utf8')]);
}

/** An answer ends with the token that the format ends it with. */
async function prepareEnd(
  folder: string,
  named: string,
  end: string | null,
  options: OpenBaseModelOptions,
): Promise<void> {
  const { tokenizer, chatTemplate, config } = await openBaseModel(folder, options);
  const text = end ?? chatTemplate.source.specialTokens.eos_token;
  const token = tokenizer.source.addedTokens.find(({ content }) => content === text);
  if (!token) {
    const missing = text === undefined ? 'an eos_token' : `the token ${text}`;
    const other = named === 'plain' ? '' : ', or use plain';
    throw new ChatTemplateRefusedError(
      `${named} needs ${missing}, which the tokenizer lacks: name another format${other}`,
    );
  }
  if (config.eosTokenIds.includes(token.id)) return;
  const path = join(folder, 'generation_config.json');
  const generation = (await findJsonFields(path))?.values ?? {};
  const json = JSON.stringify({ ...generation, eos_token_id: [...config.eosTokenIds, token.id] });
  await writeDurably(path, [Buffer.from(json, 'utf8')]);
}

const QUESTION = { role: 'user', content: 'Hello' };
const CALL = { id: 'call00000', type: 'function', function: { name: 'look', arguments: '{}' } };
const TOOL = { type: 'function', function: { name: 'look', description: '', parameters: { type: 'object' } } };
/** Conversations that reach most of a template. */
const PROBES: readonly (readonly [ChatMessage[], EncodeChatOptions])[] = [
  [[QUESTION], {}],
  [[{ role: 'system', content: 'Be kind.' }, QUESTION, { role: 'assistant', content: 'Hi' }, QUESTION], {}],
  [[QUESTION], { tools: [TOOL] }],
  [
    [
      QUESTION,
      { role: 'assistant', content: '', tool_calls: [CALL] },
      { role: 'tool', content: '1', tool_call_id: CALL.id },
    ],
    { tools: [TOOL] },
  ],
];
/** Errors of the renderer for parts of Jinja that it lacks. Templates refuse conversations in their own words. */
const LACKING = /\bUnknown (\w+ )*(filter|test|statement|operator)\b|Cannot apply filter/;

/**
 * @throws ChatTemplateRefusedError the model has a template that cannot render a question, or uses a part of Jinja that
 *   there is not
 */
export function assertTemplateWorks({ chatTemplate }: BaseModel): void {
  if (chatTemplate.source.template === null) return;
  for (const [at, [messages, options]] of PROBES.entries()) {
    try {
      chatTemplate.encodeChat(messages, { ...options, addGenerationPrompt: true });
    } catch (error) {
      const reason = error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
      if (at > 0 && !LACKING.test(reason)) continue;
      throw new ChatTemplateRefusedError(`${reason}: give it another with --chat-template`, { cause: error });
    }
  }
}

import { join } from 'node:path';

import { isJsonObject } from '@hone/json';

import { findJsonFields, findText, type JsonFields } from '../config/json-fields.js';

/** The chat template files of a model folder. */
export interface ChatTemplateSource {
  /** For messages. */
  readonly directory: string;
  /** Jinja; null: the model has none. */
  readonly template: string | null;
  /** Used when a request brings tools; null: the ordinary one. */
  readonly toolTemplate: string | null;
  /** Texts of the tokens that templates name: `bos_token`, `eos_token` and others. */
  readonly specialTokens: Readonly<Record<string, string>>;
}

const TEMPLATE_FILE = 'chat_template.jinja';
const SPECIAL_TOKENS = ['bos_token', 'eos_token', 'pad_token', 'unk_token'];

/**
 * Reads `chat_template.jinja`, else `chat_template` of `tokenizer_config.json`, as transformers does: a text,
 * or a list of named ones, of which `default` and `tool_use` are known.
 *
 * @throws BaseModelDamagedError tokenizer_config.json is there, but not a JSON object
 */
export async function readChatTemplateSource(directory: string): Promise<ChatTemplateSource> {
  const config = await findJsonFields(join(directory, 'tokenizer_config.json'));
  const file = await findText(join(directory, TEMPLATE_FILE));
  const listed = config?.get('chat_template');
  return {
    directory,
    template: file ?? (typeof listed === 'string' ? listed : namedTemplate(listed, 'default')),
    toolTemplate: file === null ? namedTemplate(listed, 'tool_use') : null,
    specialTokens: config ? toSpecialTokens(config) : {},
  };
}

function namedTemplate(listed: unknown, name: string): string | null {
  const entries: unknown[] = Array.isArray(listed) ? listed : [];
  const entry = entries.filter(isJsonObject).find((candidate) => candidate.name === name);
  return typeof entry?.template === 'string' ? entry.template : null;
}

/** A token is written as its text, or as an object with its text as `content`. */
function toSpecialTokens(config: JsonFields): Record<string, string> {
  const tokens: Record<string, string> = {};
  for (const name of SPECIAL_TOKENS) {
    const value = config.get(name);
    const text = isJsonObject(value) ? value.content : value;
    if (typeof text === 'string') tokens[name] = text;
  }
  return tokens;
}

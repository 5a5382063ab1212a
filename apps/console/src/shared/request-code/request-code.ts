import { JsonNumber } from '@hone/client';

import { prettyJson } from '../format/preview.js';
import type { ApiForm } from './api-form.js';

/** A request that is shown as code. */
export interface ShownRequest {
  readonly form: ApiForm;
  /** Of the body. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Address of this Hone, for example `http://127.0.0.1:8080`. */
  readonly origin: string;
  /** Project that is asked for, `<entity>/<project>`. */
  readonly projectId: string;
}

export interface Language {
  readonly name: string;
  readonly label: string;
  /** Code that sends the request, with the key of an environment variable. */
  toCode(request: ShownRequest): string;
}

/** Where the code reads the key: a page never shows one. */
const KEY = 'HONE_API_KEY';
const PROJECT = 'Hone-Project';

/** How an SDK asks through an API. */
interface Sdk {
  readonly package: string;
  readonly className: string;
  /** Added to the address. */
  readonly base: string;
  readonly method: string;
  readonly result: string;
  /** Expressions of the answer's text. */
  readonly python: string;
  readonly typescript: string;
}

const OPENAI = { package: 'openai', className: 'OpenAI', base: '/v1' };
const SDKS: Readonly<Record<string, Sdk>> = {
  '/v1/chat/completions': {
    ...{ ...OPENAI, method: 'chat.completions.create', result: 'completion' },
    ...{ python: 'completion.choices[0].message.content', typescript: 'completion.choices[0]?.message.content' },
  },
  '/v1/responses': {
    ...{ ...OPENAI, method: 'responses.create', result: 'response' },
    ...{ python: 'response.output_text', typescript: 'response.output_text' },
  },
  '/v1/messages': {
    ...{ package: 'anthropic', className: 'Anthropic', base: '', method: 'messages.create', result: 'message' },
    python: '"".join(block.text for block in message.content if block.type == "text")',
    typescript: `message.content.map((block) => (block.type === 'text' ? block.text : '')).join('')`,
  },
};

const sdkOf = ({ path }: ApiForm): Sdk => SDKS[path] as Sdk;

/** The fields that the SDK knows, and the others. */
function split({ form, fields }: ShownRequest): Record<'known' | 'others', [string, unknown][]> {
  const entries = Object.entries(fields);
  const isKnown = ([name]: [string, unknown]) => form.sdkFields.includes(name);
  return { known: entries.filter(isKnown), others: entries.filter((entry) => !isKnown(entry)) };
}

/** In single quotes nothing has a meaning for a shell but the quote itself. */
const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function toCurl({ form, fields, origin, projectId }: ShownRequest): string {
  const isOpenAi = sdkOf(form).package === OPENAI.package;
  return [
    `curl ${shellQuoted(origin + form.path)}`,
    ...(isOpenAi
      ? [`-H "Authorization: Bearer $${KEY}"`]
      : [`-H "x-api-key: $${KEY}"`, `-H 'anthropic-version: 2023-06-01'`]),
    `-H 'Content-Type: application/json'`,
    `-H ${shellQuoted(`${PROJECT}: ${projectId}`)}`,
    `--data-raw ${shellQuoted(prettyJson(fields))}`,
  ].join(' \\\n  ');
}

function toPython(request: ShownRequest): string {
  const { origin, projectId, form } = request;
  const { package: from, className, base, method, result, python } = sdkOf(form);
  const { known, others } = split(request);
  const fields = others.length === 0 ? known : [...known, ['extra_body', Object.fromEntries(others)] as const];
  return `import os

from ${from} import ${className}

client = ${className}(
    base_url=${JSON.stringify(origin + base)},
    api_key=os.environ["${KEY}"],
    default_headers={"${PROJECT}": ${JSON.stringify(projectId)}},
)
${result} = client.${method}(
${fields.map(([name, value]) => `    ${name}=${literal(value, PYTHON, '    ')},`).join('\n')}
)
print(${python})`;
}

function toTypeScript(request: ShownRequest): string {
  const { origin, projectId, form } = request;
  const { package: from, className, base, method, result, typescript } = sdkOf(form);
  const { known, others } = split(request);
  const lines = known.map(([name, value]) => `  ${name}: ${literal(value, TYPESCRIPT, '  ')},`);
  // TypeScript takes what the SDK does not declare when it is spread.
  const more = others.length === 0 ? [] : [`  ...${literal(Object.fromEntries(others), TYPESCRIPT, '  ')},`];
  return `import ${className} from '${from === 'anthropic' ? '@anthropic-ai/sdk' : from}';

const client = new ${className}({
  baseURL: ${JSON.stringify(origin + base)},
  apiKey: process.env.${KEY},
  defaultHeaders: { '${PROJECT}': ${JSON.stringify(projectId)} },
});
const ${result} = await client.${method}({
${[...lines, ...more].join('\n')}
});
console.log(${typescript});`;
}

/** How a language writes what it writes otherwise than JSON. */
interface Writing {
  readonly words: Readonly<Record<string, string>>;
  readonly indent: string;
  key(name: string): string;
}

const PYTHON: Writing = {
  words: { null: 'None', true: 'True', false: 'False' },
  indent: '    ',
  key: JSON.stringify,
};
const TYPESCRIPT: Writing = {
  words: {},
  indent: '  ',
  key: (name) => {
    // As it stands, it would set the prototype.
    if (name === '__proto__') return `['__proto__']`;
    return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
  },
};

function literal(value: unknown, writing: Writing, indent: string): string {
  if (value instanceof JsonNumber) return value.text;
  if (typeof value !== 'object' || value === null) {
    const json = JSON.stringify(value ?? null);
    return writing.words[json] ?? json;
  }
  const deeper = indent + writing.indent;
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((item) => literal(item, writing, deeper))
    : Object.entries(value).map(([name, item]) => `${writing.key(name)}: ${literal(item, writing, deeper)}`);
  const [open, close] = isList ? '[]' : '{}';
  return items.length === 0
    ? `${open}${close}`
    : `${open}\n${items.map((item) => `${deeper}${item},`).join('\n')}\n${indent}${close}`;
}

export const LANGUAGES: readonly Language[] = [
  { name: 'curl', label: 'curl', toCode: toCurl },
  { name: 'python', label: 'Python', toCode: toPython },
  { name: 'typescript', label: 'TypeScript', toCode: toTypeScript },
];

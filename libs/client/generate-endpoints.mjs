/**
 * Writes `src/endpoints/<group>.generated.ts`, one method an endpoint, from the OpenAPI document of all services:
 * `node generate-endpoints.mjs <openapi.json>`, the document as `GET /openapi.json` of a running Hone gives it. With
 * `--check` nothing is written, and a file that is out of date exits 1.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { format, resolveConfig } from 'prettier';

const FOLDER = join(import.meta.dirname, 'src/endpoints');
const METHODS = ['get', 'put', 'post', 'delete'];
const HEADER = '/** Made of the OpenAPI document by generate-endpoints.mjs. */\n';
const JSON_TYPE = 'application/json';
const LINES_TYPE = 'application/x-ndjson';
/** Sends of the same content have the effect of one: what they name is addressed by its content. */
const READS = /^(get|list|read|query|count|stream|check|diagnose|aggregate|export)/;

/** The group of a path: its service. */
const groupOf = (path) => {
  if (path.startsWith('/account/')) return 'accounts';
  if (path.startsWith('/v1/preview/') || ['/v1/health', '/v1/system-check'].includes(path)) return 'training';
  if (path.startsWith('/evaluation/')) return 'evaluation';
  return path.startsWith('/v1/') ? 'inference' : 'trace';
};

function readText(name) {
  try {
    return readFileSync(name, 'utf8');
  } catch {
    return undefined;
  }
}

function endpoint(path, method, operation) {
  const parameters = (operation.parameters ?? []).filter((one) => ['path', 'query'].includes(one.in));
  const headers = (operation.parameters ?? []).filter((one) => one.in === 'header').map(({ name }) => name);
  const answers = operation.responses['200'].content;
  const isSafe = method !== 'post' || READS.test(operation.operationId);
  const flags = [parameters.length > 0 && 'p', headers.includes('Idempotency-Key') ? 'k' : isSafe && 'r'].filter(
    Boolean,
  );
  return {
    ...{ path, method: method.toUpperCase(), flags: flags.join(''), parameters },
    ...{ name: operation.operationId, summary: operation.summary, body: bodyType(operation.requestBody) },
    mayOmitBody: operation.requestBody?.required === false,
    json: schemaName(answers[JSON_TYPE]),
    lines: schemaName(answers[LINES_TYPE]),
  };
}

const schemaName = (content) => content?.schema.$ref?.split('/').at(-1);

function bodyType(requestBody) {
  const content = requestBody?.content;
  if (!content) return undefined;
  if (content[JSON_TYPE]) return schemaName(content[JSON_TYPE]);
  return content['application/octet-stream'] ? 'RawBody' : 'FormData';
}

function groupText(group, endpoints) {
  const title = group[0].toUpperCase() + group.slice(1);
  const methods = endpoints.flatMap(methodsOf);
  const named = methods.flatMap(({ uses }) => uses).filter((name) => /Dto$/.test(name ?? ''));
  const names = [...new Set(named)].sort();
  const own = ['RawBody', 'RequestOptions'].filter((name) => methods.some(({ uses }) => uses.includes(name)));
  return `${HEADER}import type { ${names.join(', ')} } from '@hone/contracts';

import type { ${own.join(', ')} } from '../transport/request-options.js';

export interface ${title}Endpoints {
${methods.map(({ text }) => text).join('\n')}
}

/** What sends each: method, flags (see \`toMethod\`) and path. */
export const ${group.toUpperCase()} = {
${methods.map(({ name, code }) => `  ${name}: '${code}',`).join('\n')}
} as const;
`;
}

/** The types of all bodies and their parts, for callers to name. */
const bodiesText = (schemas) =>
  `${HEADER}export type { ${schemas
    .filter((name) => name.endsWith('Dto'))
    .sort()
    .join(', ')} } from '@hone/contracts';\n`;

/** One method; two where one may choose between an object and lines. */
function methodsOf(one) {
  const { json, lines, name, body, mayOmitBody, parameters, summary, method, path, flags } = one;
  const kinds = [];
  if (json) kinds.push({ name, result: `Promise<${json}>`, type: json, flag: 'j' });
  if (lines)
    kinds.push({ name: json ? `${name}Lines` : name, result: `AsyncIterable<${lines}>`, type: lines, flag: 'l' });
  if (!json && !lines) kinds.push({ name, result: 'Promise<Response>', flag: 'b' });
  return kinds.map((kind) => {
    const isOptional = parameters.every(({ required }) => !required);
    const list = [
      parameters.length > 0 && `params${isOptional && !body ? '?' : ''}: ${parametersType(parameters)}`,
      body && `body${mayOmitBody ? '?' : ''}: ${body}`,
      'options?: RequestOptions',
    ].filter(Boolean);
    return {
      ...{ name: kind.name, uses: [body, kind.type, 'RequestOptions'] },
      code: `${method} ${kind.flag}${flags}${body ? 'd' : ''} ${path}`,
      text: `  /** ${summary}: \`${method} ${path}\`${kind.flag === 'l' ? ', line by line' : ''}. */\n  ${kind.name}(${list.join(', ')}): ${kind.result};`,
    };
  });
}

const parametersType = (parameters) =>
  `{ ${parameters.map(({ name, required, schema }) => `${name}${required ? '' : '?'}: ${typeOf(schema)}`).join('; ')} }`;

function typeOf(schema) {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.type === 'array') return `readonly (${typeOf(schema.items)})[]`;
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  if (schema.type === 'boolean') return 'boolean';
  if (Array.isArray(schema.anyOf)) return [...new Set(schema.anyOf.map(typeOf))].join(' | ');
  return 'string';
}

const [file] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const document = JSON.parse(readFileSync(file, 'utf8'));
const groups = new Map(['accounts', 'evaluation', 'inference', 'trace', 'training'].map((group) => [group, []]));
for (const [path, item] of Object.entries(document.paths))
  for (const method of METHODS) if (item[method]) groups.get(groupOf(path)).push(endpoint(path, method, item[method]));

const files = [...groups].map(([group, endpoints]) => [group, groupText(group, endpoints)]);
files.push(['bodies', bodiesText(Object.keys(document.components.schemas))]);
let stale = false;
mkdirSync(FOLDER, { recursive: true });
for (const [name, code] of files) {
  const target = join(FOLDER, `${name}.generated.ts`);
  const text = await format(code, { ...(await resolveConfig(target)), filepath: target });
  if (readText(target) === text) continue;
  stale = true;
  if (process.argv.includes('--check')) console.error(`${target} is out of date`);
  else writeFileSync(target, text);
}
if (stale && process.argv.includes('--check')) process.exitCode = 1;

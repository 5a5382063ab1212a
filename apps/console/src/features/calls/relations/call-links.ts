import { isJsonObject, JsonNumber } from '@hone/client';

import { parseRef, shortRef } from '../../../shared/data/refs.js';
import { RemoteBranch } from '../../../shared/payload/large-payload.js';

/** The weights that answered a chat. */
export interface Answering {
  readonly modelId: string;
  /** null: the base model. */
  readonly step: number | null;
}

const memberOf = (value: unknown, key: string): unknown =>
  isJsonObject(value) && !(value instanceof RemoteBranch) && Object.hasOwn(value, key) ? value[key] : undefined;

/** The checkpoint that a call's attributes name; null: no trained model answered. */
export function answeringOf(attributes: unknown): Answering | null {
  const modelId = memberOf(attributes, 'model_id');
  const step = memberOf(attributes, 'step');
  if (typeof modelId !== 'string' || modelId === '') return null;
  return { modelId, step: typeof step === 'number' ? step : null };
}

/** Parameters that the playground has fields for. */
const NUMBERS = ['temperature', 'top_p', 'max_tokens', 'seed', 'presence_penalty', 'frequency_penalty'];
/** An address that is much longer is refused by servers. */
const MAX_CHARACTERS = 4_000;

/**
 * The query of the playground with the model, system prompt, last question and parameters of a chat; null: the call is
 * no chat, or it is too long to stand in an address.
 */
export function playgroundQuery(inputs: unknown): string | null {
  const model = memberOf(inputs, 'model');
  const messages = memberOf(inputs, 'messages');
  if (typeof model !== 'string' || !Array.isArray(messages)) return null;
  const last = (role: string) => messages.findLast((message) => memberOf(message, 'role') === role) as unknown;
  const texts = { model, system: memberOf(last('system'), 'content'), message: memberOf(last('user'), 'content') };
  const query = new URLSearchParams();
  for (const [name, text] of Object.entries(texts)) if (typeof text === 'string') query.set(name, text);
  for (const name of NUMBERS) {
    const value = memberOf(inputs, name);
    if (typeof value === 'number' || value instanceof JsonNumber) query.set(name, String(value));
  }
  const text = query.toString();
  return text.length > MAX_CHARACTERS ? null : text;
}

/** A way to what a ref names. */
export interface RefLink {
  readonly label: string;
  readonly projectId: string;
  /** Below the project's address. */
  readonly page: string;
}

const ROW = /\/attr\/rows\/id\/([^/]+)/;

/** Each thing once. Refs that name nothing with a page of its own are left out. */
export function linksOfRefs(refs: readonly string[]): readonly RefLink[] {
  const links = new Map<string, RefLink>();
  for (const ref of refs) {
    const parts = parseRef(ref);
    if (parts === null || parts.kind === 'table') continue;
    const { projectId, kind, name, version } = parts;
    const [, row] = ROW.exec(ref) ?? [];
    const page = row === undefined ? PAGES[kind](name, version) : rowPage(name, version, row);
    const label = row === undefined ? `${kind} ${shortRef(ref)}` : `row of ${shortRef(ref)}`;
    links.set(`${projectId} ${page}`, { label, projectId, page });
  }
  return [...links.values()];
}

const PAGES = {
  call: (id: string) => `calls/${encodeURIComponent(id)}`,
  object: (name: string, version: string) =>
    `objects/${encodeURIComponent(name)}?${new URLSearchParams({ version }).toString()}`,
  op: (name: string, version: string) =>
    `objects/${encodeURIComponent(name)}?${new URLSearchParams({ kind: 'op', version }).toString()}`,
};

const rowPage = (dataset: string, version: string, digest: string) =>
  `datasets/${encodeURIComponent(dataset)}?${new URLSearchParams({ version, digest }).toString()}`;

/** The query of the list of calls that shows those of an op, newest first. */
export const peersQuery = (shortName: string): string =>
  new URLSearchParams({ op: shortName, depth: 'all' }).toString();

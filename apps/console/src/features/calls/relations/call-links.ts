import { isJsonObject } from '@hone/client';

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

/** Whether inputs have a member of this name, also where a worker has them. */
export function hasInput(inputs: unknown, name: string): boolean {
  if (inputs instanceof RemoteBranch) return inputs.first.some(([key]) => key === name);
  return isJsonObject(inputs) && Object.hasOwn(inputs, name);
}

/** The query of the playground that takes over what a call was asked, and how. */
export const playgroundQuery = (callId: string): string => new URLSearchParams({ call: callId }).toString();

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

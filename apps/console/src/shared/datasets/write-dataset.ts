import { isJsonObject, NotFoundError, stringifyJson } from '@hone/client';

import { chunksByWeight } from '../data/chunks.js';
import { exactHone } from '../data/hone.js';
import type { Project } from '../data/project.js';
import { parseRef } from '../data/refs.js';

export type Row = Record<string, unknown>;

/** A step of `POST /table/update`. */
export type TableStep =
  | { readonly append: { readonly row: Row } }
  | { readonly insert: { readonly index: number; readonly row: Row } }
  | { readonly pop: { readonly index: number } };

/** Characters of one request: little enough for any limit of bodies, enough for thousands of short rows. */
const REQUEST_CHARACTERS = 2_000_000;

const toRequests = <T>(list: readonly T[]): T[][] =>
  chunksByWeight(list, REQUEST_CHARACTERS, (item) => stringifyJson(item).length);

/** Stores rows, as many as there are. @returns their digests, in order */
export async function storeRows(
  project: Project,
  rows: readonly Row[],
  onProgress: (stored: number) => void = () => undefined,
): Promise<string[]> {
  const digests: string[] = [];
  for (const part of toRequests(rows)) {
    const { row_digests } = await exactHone.trace.createTable({ table: { project_id: project.id, rows: part } });
    digests.push(...row_digests);
    onProgress(digests.length);
  }
  return digests;
}

/** A table of stored rows. @returns its ref */
export async function storeTable(project: Project, rowDigests: readonly string[]): Promise<string> {
  const body = { project_id: project.id, row_digests: [...rowDigests] };
  const { digest } = await exactHone.trace.createTableFromDigests(body);
  return `hone:///${project.id}/table/${digest}`;
}

/** What marks a value as a dataset for the interface and for SDKs. */
const CLASS_KEYS = { _type: 'Dataset', _class_name: 'Dataset', _bases: ['Object', 'BaseModel'] };

/** Id of the object of a dataset: its name in lower case, as the interface itself makes it. */
export const toObjectId = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[\s/]+/g, '_');

/** A dataset of rows that are stored. @returns id of its object */
export async function createDataset(project: Project, name: string, rowDigests: readonly string[]): Promise<string> {
  const object_id = toObjectId(name);
  const val = { ...CLASS_KEYS, name: name.trim(), description: null, rows: await storeTable(project, rowDigests) };
  await exactHone.trace.createObject({ obj: { project_id: project.id, object_id, val } });
  return object_id;
}

/** A new version of the newest one with other rows; all else of it stays. @param rows ref of their table */
export async function writeVersion(project: Project, objectId: string, rows: string): Promise<void> {
  const body = { project_id: project.id, object_id: objectId, digest: 'latest' };
  const { obj } = await exactHone.trace.readObject(body);
  const val = { ...(isJsonObject(obj.val) ? obj.val : {}), rows };
  await exactHone.trace.createObject({ obj: { project_id: project.id, object_id: objectId, val } });
}

/** Adds rows to a dataset, or makes one of them. @returns id of its object */
export async function appendToDataset(project: Project, name: string, rows: readonly Row[]): Promise<string> {
  const objectId = toObjectId(name);
  const newest = await tableOf(project, objectId);
  if (newest === null) return createDataset(project, name, await storeRows(project, rows));
  const table = await updateTable(
    project,
    newest,
    rows.map((row) => ({ append: { row } })),
  );
  await writeVersion(project, objectId, table);
  return objectId;
}

/** A table with changes to another one, which are made one after the other. @returns its ref */
export async function updateTable(project: Project, digest: string, steps: readonly TableStep[]): Promise<string> {
  let base_digest = digest;
  for (const part of toRequests(steps)) {
    const body = { project_id: project.id, base_digest, updates: part };
    ({ digest: base_digest } = await exactHone.trace.updateTable(body as never));
  }
  return `hone:///${project.id}/table/${base_digest}`;
}

/** Digest of the table of the newest version; null: there is no such dataset. */
async function tableOf(project: Project, objectId: string): Promise<string | null> {
  const params = { entity: project.entity, project: project.name, object_id: objectId, digest: 'latest' };
  try {
    const { rows } = await exactHone.trace.getDataset(params);
    return parseRef(rows)?.name ?? null;
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

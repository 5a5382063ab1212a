import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** The routes of an upstreams file that name models of this engine. */
export interface ModelRoutes {
  /** Absolute path of the upstreams file. */
  readonly file: string;
  /** State of the file (see stateOf). If it has changed, nothing is known of its routes. */
  readonly state: string;
  /** Model -> ids of the routes that name it. */
  readonly models: Readonly<Record<string, readonly string[]>>;
}

const pathIn = (dataDir: string): string => join(dataDir, 'gateway', 'model-routes.json');

/**
 * Keeps which routes name which models, for the command line: it can neither read the upstreams file nor ask a gateway
 * that does not run.
 *
 * @param file the upstreams file; null: there is none
 */
export async function writeModelRoutes(
  dataDir: string,
  file: string | null,
  routesOf: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const path = pathIn(dataDir);
  const state = file === null ? null : await stateOf(file);
  if (file === null || state === null) return rm(path, { force: true });
  const routes: ModelRoutes = { file: resolve(file), state, models: Object.fromEntries(routesOf) };
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // Several gateways may share the folder.
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, JSON.stringify(routes), { mode: 0o600 });
  await rename(draft, path);
}

/** The routes that name a model, with their file; null: none is known. */
export async function findModelRoutes(dataDir: string, model: string): Promise<{ file: string; ids: string[] } | null> {
  const text = await readFile(pathIn(dataDir), 'utf8').catch(() => null);
  if (text === null) return null;
  const { file, state, models } = JSON.parse(text) as ModelRoutes;
  const ids = Object.hasOwn(models, model) ? [...(models[model] as readonly string[])] : [];
  return ids.length > 0 && (await stateOf(file)) === state ? { file, ids } : null;
}

/** Null: it is not there. */
async function stateOf(file: string): Promise<string | null> {
  const found = await stat(file).catch(() => null);
  return found && `${found.ino} ${found.size} ${found.mtimeMs}`;
}

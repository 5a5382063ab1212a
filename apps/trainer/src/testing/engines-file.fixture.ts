import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder that a local engine was started with is its name for the base model. */
export const HONE_TINY = join(import.meta.dirname, '../../../../models/hone-tiny');

/** An engines file, as YAML takes JSON, with one training server that has hone-tiny. @returns its path */
export function writeEnginesFile(url: string, more: object = {}): string {
  const path = join(mkdtempSync(join(tmpdir(), 'hone-engines-')), 'engines.yaml');
  const base = { 'hone-tiny': { served_as: HONE_TINY } };
  const engine = { name: 'skyrl', kind: 'tinker', url, base_models: base, max_batch: 16, ...more };
  writeFileSync(path, JSON.stringify({ engines: [engine] }));
  return path;
}

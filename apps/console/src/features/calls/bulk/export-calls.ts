import { stringifyJson } from '@hone/client';

import { chunksOf } from '../../../shared/data/chunks.js';
import { download } from '../../../shared/data/download.js';
import { exactHone } from '../../../shared/data/hone.js';
import type { Project } from '../../../shared/data/project.js';
import { CALLS_PER_REQUEST } from './bulk-dialog.js';

/** Saves calls as a file of JSON lines, each a call with the digits that were sent. */
export async function exportCalls(project: Project, callIds: readonly string[]): Promise<void> {
  const lines: string[] = [];
  for (const call_ids of chunksOf(callIds, CALLS_PER_REQUEST)) {
    const body = { project_id: project.id, source: 'calls' as const, filter: { call_ids } };
    for await (const line of exactHone.trace.exportRows(body)) lines.push(`${stringifyJson(line)}\n`);
  }
  download(`${project.name}-calls.jsonl`, 'application/x-ndjson', lines);
}

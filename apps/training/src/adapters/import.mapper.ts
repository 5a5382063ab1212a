import type { FolderFile } from '@hone/artifacts';
import type { ImportedCheckpointDto } from '@hone/contracts';

import type { Imported } from './import-processes.js';

export const toImportedCheckpoint = (
  { id, step, createdAt, bytes }: { id: string; step: number; createdAt: Date; bytes: number },
  files: readonly FolderFile[],
  { adapter, ignored }: Imported,
): ImportedCheckpointDto => ({
  id,
  step,
  metrics: {},
  created_at: createdAt.toISOString(),
  job_id: null,
  kind: 'import',
  parent_step: 0,
  bytes,
  pinned: false,
  engine: null,
  files: files.map((file) => ({ path: file.path, bytes: file.bytes, sha256: file.sha256 })),
  named_base_model: adapter.namedBase || null,
  rank: adapter.rank,
  alpha: adapter.alpha,
  use_rslora: adapter.variant?.useRslora ?? false,
  rank_pattern: { ...adapter.variant?.rankPattern },
  alpha_pattern: { ...adapter.variant?.alphaPattern },
  target_modules: [...adapter.targets],
  ignored_files: [...ignored],
});

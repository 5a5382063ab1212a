import { basename } from 'node:path';

import {
  AdapterDamagedError,
  AdapterUnsupportedError,
  ArchiveError,
  ArchiveTooLargeError,
  EngineError,
  importPeftAdapter,
  readDecoderShape,
  readLlamaConfig,
  unpackAdapter,
} from '@hone/engine';
// In a process of its own, which starts without all of the platform.
import { isDiskFull } from '@hone/platform/disk-full';

import type { ImportOrder, ImportOutcome } from './import-messages.js';

/** Unpacks an archive, checks the adapter in it against the base model, and writes the checkpoint. */
export async function importAdapter(order: ImportOrder): Promise<ImportOutcome> {
  const { archive, workDirectory, directory, base, baseModel, maxBytes } = order;
  try {
    const ignored = await unpackAdapter({ archive, directory: workDirectory, maxBytes });
    const { directory: folder, maxParams } = base;
    const config = await (maxParams === null ? readDecoderShape(folder) : readLlamaConfig(folder, maxParams));
    const adapter = await importPeftAdapter(directory, { source: workDirectory, config, baseModel, maxBytes });
    return { status: 'imported', adapter, ignored };
  } catch (error) {
    return toOutcome(error);
  }
}

/** @throws the error itself when it is a fault of the program: the process then ends without an outcome */
function toOutcome(error: unknown): ImportOutcome {
  if (error instanceof ArchiveTooLargeError) return { status: 'too_large' };
  if (error instanceof ArchiveError) return { status: 'invalid', file: error.file, reason: error.message };
  if (error instanceof AdapterDamagedError || error instanceof AdapterUnsupportedError) {
    return { status: 'invalid', file: basename(error.file), reason: error.reason };
  }
  if (error instanceof EngineError) return { status: 'base_unusable' };
  const { syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined) throw error;
  return { status: 'storage', isFull: isDiskFull(error) };
}

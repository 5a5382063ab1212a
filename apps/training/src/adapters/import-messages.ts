import type { ImportedAdapter } from '@hone/engine';

import type { BaseFolder } from '../base-models/base-models.js';

/** What an import process is to do: it gets one order and ends. */
export interface ImportOrder {
  /** Path of the archive. */
  readonly archive: string;
  /** Folder for the unpacked adapter. */
  readonly workDirectory: string;
  /** Folder that becomes the checkpoint. */
  readonly directory: string;
  readonly base: BaseFolder;
  /** Id of the base model. */
  readonly baseModel: string;
  /** Most bytes of the unpacked archive. */
  readonly maxBytes: number;
}

export type ImportOutcome =
  | { readonly status: 'imported'; readonly adapter: ImportedAdapter; readonly ignored: readonly string[] }
  | { readonly status: 'invalid'; readonly file: string | null; readonly reason: string }
  | { readonly status: 'too_large' }
  | { readonly status: 'base_unusable' }
  | { readonly status: 'storage'; readonly isFull: boolean };

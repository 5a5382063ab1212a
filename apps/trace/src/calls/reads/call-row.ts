import type { ValueColumn } from '@hone/call-queries';
import type { StoredValue } from '@hone/calls';
import type { ModelTokens } from '@hone/calls/derived';

/** A call as lists read it: columns that were not asked for are undefined. */
export interface CallRow {
  id: string;
  op_name: string;
  display_name: string | null;
  trace_id: string;
  parent_id: string | null;
  thread_id: string | null;
  turn_id: string | null;
  started_at: Date;
  ended_at: Date | null;
  exception: string | null;
  svc_user_id: string;
  run_id: string | null;
  run_step: number | null;
  run_step_end: number | null;
  input_refs: string[];
  output_refs: string[];
  has_descendant_error: boolean;
  storage_size_bytes: bigint | null;
  attributes_text?: string | null;
  attributes_blob?: string | null;
  inputs_text?: string | null;
  inputs_blob?: string | null;
  output_text?: string | null;
  output_blob?: string | null;
  summary_text?: string | null;
  summary_blob?: string | null;
  derived?: DerivedColumns;
}

/** Columns that are derived of values. */
export interface DerivedColumns {
  input_preview: string | null;
  output_preview: string | null;
  error_class: string | null;
  end_user: string | null;
  prompt_ref: string | null;
  first_token_ms: number | null;
  /** What the call used: the model with the most tokens first. */
  models: ModelTokens[];
}

/** Where a value of a call is. */
export const storedValue = (row: CallRow, column: ValueColumn): StoredValue => ({
  text: row[`${column}_text`] ?? null,
  blob: row[`${column}_blob`] ?? null,
});

import {
  type Issue,
  type JsonObject,
  type Loc,
  MAX_ISSUES,
  TableCreateDto,
  TableFromDigestsDto,
  type TableStep,
  TableUpdateDto,
} from '@hone/contracts';
import { bodyTask } from '@hone/platform/body-task';
import { toPieces } from '@hone/threads';

import { internalRefIssues } from '../objects/internal-refs.js';
import { type RowDigests, toRowDigests } from './row-digests.js';
import { RowDrafts, type RowStatement } from './row-drafts.js';

/** Rows of a table that is to be stored. */
export interface TableDraft {
  readonly rows: readonly RowStatement[];
  readonly digests: RowDigests;
}

/** A table, as a body has it. */
export interface SentTable {
  readonly projectId: string;
  /** Null: any. */
  readonly expectedDigest: string | null;
  readonly table: TableDraft;
}

/** A table of rows that the project has, as a body has it. */
export type SentDigests = Omit<SentTable, 'table'> & Pick<TableDraft, 'digests'>;

/** A change of a table, as a body has it. */
export interface SentStep {
  readonly kind: 'append' | 'insert' | 'pop';
  /** Of the row before which it inserts, or that it takes out. */
  readonly index: number;
  /** Of the row that it appends or inserts. */
  readonly digest: string;
}

/** Changes of a table, as a body has them. */
export interface SentUpdate {
  readonly projectId: string;
  readonly baseDigest: string;
  /** Pieces of a list of {@link SentStep}. */
  readonly steps: readonly Uint8Array[];
  readonly rows: readonly RowStatement[];
  /** What is wrong with the row of the last step, which contains internal refs: later ones are left out. Null: nothing. */
  readonly refused: Issue[] | null;
}

const module = import.meta.url;

export const TABLE_BODY = bodyTask({
  ...{ type: TableCreateDto, module, name: 'TABLE_BODY' },
  digest: ({ table }: TableCreateDto, issues, _sent, refScheme): SentTable => ({
    projectId: table.project_id,
    expectedDigest: table.expected_digest ?? null,
    table: toTableDraft(table.rows as JsonObject[], ['body', 'table', 'rows'], issues, refScheme),
  }),
});

export const DIGESTS_BODY = bodyTask({
  ...{ type: TableFromDigestsDto, module, name: 'DIGESTS_BODY' },
  digest: ({ project_id, expected_digest, row_digests }: TableFromDigestsDto): SentDigests => ({
    projectId: project_id,
    expectedDigest: expected_digest ?? null,
    digests: toRowDigests(row_digests),
  }),
});

export const UPDATE_BODY = bodyTask({
  ...{ type: TableUpdateDto, module, name: 'UPDATE_BODY' },
  digest({ project_id, base_digest, updates }: TableUpdateDto, _issues, _sent, refScheme): SentUpdate {
    const drafts = new RowDrafts(refScheme);
    const steps: SentStep[] = [];
    let refused: Issue[] | null = null;
    for (const [index, update] of updates.entries()) {
      const { kind, row, at } = partsOf(update);
      const issues = row ? internalRefIssues(row, ['body', 'updates', index, kind, 'row']) : [];
      steps.push({ kind, index: at, digest: row && issues.length === 0 ? drafts.add(row) : '' });
      if (issues.length === 0) continue;
      refused = issues;
      break;
    }
    return {
      ...{ projectId: project_id, baseDigest: base_digest },
      ...{ steps: toPieces(steps), rows: drafts.statements(), refused },
    };
  },
});

/** @param issues gets one for each internal ref, {@link MAX_ISSUES} at most */
export function toTableDraft(rows: JsonObject[], loc: Loc, issues: Issue[], refScheme: string): TableDraft {
  const drafts = new RowDrafts(refScheme);
  const digests: string[] = [];
  for (const [index, row] of rows.entries()) {
    issues.push(...internalRefIssues(row, [...loc, index]));
    if (issues.length >= MAX_ISSUES) break;
    digests.push(drafts.add(row));
  }
  return { rows: drafts.statements(), digests: toRowDigests(digests) };
}

function partsOf(step: TableStep): { kind: SentStep['kind']; row?: JsonObject; at: number } {
  if ('append' in step) return { kind: 'append', row: step.append.row as JsonObject, at: 0 };
  if ('insert' in step) return { kind: 'insert', row: step.insert.row as JsonObject, at: Number(step.insert.index) };
  return { kind: 'pop', at: Number(step.pop.index) };
}

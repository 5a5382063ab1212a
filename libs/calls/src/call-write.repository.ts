import { setImmediate as nextTurn } from 'node:timers/promises';

import { byCodePoint } from '@hone/contracts';
import { Database, newId, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { CallDraft, CallStart } from './call-halves.record.js';
import { toJsonRow } from './call-row.js';
import { type CallRows, hasLargeValue, putLargeValues, textOf, valuesOf } from './call-rows.sql.js';
import { upsert, upsertSpans } from './call-upsert.sql.js';
import { type CallKey, CallTreeRepository } from './tree/call-tree.repository.js';
import { ValueRepository } from './values/value.repository.js';

/** Most calls, and about the most bytes of their values, that one statement stores. */
const STATEMENT_ROWS = 1_000;
const STATEMENT_BYTES = 4 * 1_048_576;

interface StoredCall {
  projectRowId: string;
  id: string;
  traceId: string | null;
}

/** Writes of calls. A half that comes again replaces that half; the other half is untouched. */
@Injectable()
export class CallWriteRepository {
  constructor(
    private readonly database: Database,
    private readonly values: ValueRepository,
    private readonly tree: CallTreeRepository,
  ) {}

  /**
   * Stores calls, or the halves of them that there are, a thousand in a statement: all or none. An end without its start
   * is kept but not shown. Halves of one call, the last of each half counts, are put together.
   *
   * @returns the trace ids of the calls, in the order of the drafts; null of an end without a start
   */
  async save(drafts: CallDraft[]): Promise<(string | null)[]> {
    // In an order that is the same for everybody, so that two batches never deadlock.
    const calls = inOrder(merge(drafts, keyOf));
    // Chunks of large values, and the statements of a large batch, are stored together or not at all.
    const traceIds = calls.some(hasLargeValue)
      ? await this.database.transaction(async () => this.saveAll(await this.toStatements(calls)))
      : await this.saveTogether(await this.toStatements(calls));
    await this.tree.settle(calls);
    return drafts.map((draft) => traceIds.get(keyOf(draft)) ?? null);
  }

  /**
   * Stores spans. A span is known by its trace and its own id, which is also the id of its call unless a call of another
   * trace has that id: then the call's id is `<trace>-<span>`. If this fails amid many spans, some of them are stored:
   * exporters send all again, and a span that is sent again replaces itself.
   */
  async saveSpans(drafts: SpanDraft[]): Promise<void> {
    const spans = inOrder(merge(drafts, spanKeyOf));
    const save = () => this.saveByTrace(spans);
    const { kept, refused } = spans.some(hasLargeValue) ? await this.database.transaction(save) : await save();
    if (refused.length === 0) return this.tree.settle(kept);
    // Parents may have other ids than the spans say: every call is looked up.
    const stored = [...kept, ...(await this.saveQualified(refused))];
    return this.tree.settle(stored.map(({ projectRowId, id }) => ({ projectRowId, id })));
  }

  /** Stores spans whose ids are those of calls of other traces. @returns keys of their calls */
  private async saveQualified(spans: SpanDraft[]): Promise<SpanDraft[]> {
    const calls = spans.map((span) => ({ ...span, id: qualifiedId(span), spanId: span.id, traceId: traceOf(span) }));
    await this.database.transaction(async () => {
      await this.saveAll(await this.toStatements(inOrder(calls)));
      await this.tree.moveChildren(calls);
    });
    return calls;
  }

  /** Spans of one id and several traces are tried one after the other: one of them may be the call that is there. */
  private async saveByTrace(spans: SpanDraft[]): Promise<{ kept: SpanDraft[]; refused: SpanDraft[] }> {
    const kept: SpanDraft[] = [];
    const refused: SpanDraft[] = [];
    for (let waiting = spans; waiting.length > 0;) {
      const firsts = new Map(waiting.toReversed().map((span) => [keyOf(span), span]));
      const tried = inOrder([...firsts.values()]);
      const accepted = new Set<string>();
      for (const statement of await this.toStatements(tried, parentsAmong(spans, spanKeyOf)))
        for (const key of await this.database.queryBulk<CallKey>(upsertSpans(statement))) accepted.add(keyOf(key));
      kept.push(...tried.filter((span) => accepted.has(keyOf(span))));
      refused.push(...tried.filter((span) => !accepted.has(keyOf(span))));
      waiting = waiting.filter((span) => firsts.get(keyOf(span)) !== span);
    }
    return { kept, refused };
  }

  private saveTogether(statements: CallRows[]): Promise<Map<string, string | null>> {
    if (statements.length === 1) return this.saveAll(statements);
    return this.database.transaction(() => this.saveAll(statements));
  }

  private async toStatements<T extends CallDraft>(
    calls: T[],
    isParentHere = parentsAmong(calls, keyOf),
  ): Promise<CallRows[]> {
    const statements: CallRows[] = [];
    const chunks = await putLargeValues(calls, this.values);
    for (let at = 0; at < calls.length;) {
      if (calls.length > STATEMENT_ROWS) await nextTurn(); // amid a large batch, other requests have their turn
      const statement: CallRows = { calls: [], rows: [], chunks };
      for (
        let bytes = 0;
        at < calls.length && statement.rows.length < STATEMENT_ROWS && bytes < STATEMENT_BYTES;
        at++
      ) {
        const call = calls[at] as T;
        const row = toJsonRow(call, newId, chunks, isParentHere(call));
        statement.calls.push(call);
        statement.rows.push(row);
        bytes += valuesOf(call).reduce((sum, value) => sum + (textOf(value, chunks)?.length ?? 0), row.length);
      }
      statements.push(statement);
    }
    return statements;
  }

  private async saveAll(statements: CallRows[]): Promise<Map<string, string | null>> {
    const traceIds = new Map<string, string | null>();
    for (const statement of statements) await this.saveRows(statement, traceIds);
    return traceIds;
  }

  /** What a start says of its trace is so; only where one says nothing, or is not there, the stored call is asked. */
  private async saveRows(statement: CallRows, traceIds: Map<string, string | null>): Promise<void> {
    const { calls } = statement;
    const upserted = upsert(statement);
    for (const call of calls) if (call.start?.traceId) traceIds.set(keyOf(call), call.start.traceId);
    if (calls.every(({ start }) => start === null || start.traceId !== null)) {
      await this.database.executeBulk(upserted);
      return;
    }
    const stored = await this.database.queryBulk<StoredCall>(
      Prisma.sql`${upserted} RETURNING project_id AS "projectRowId", id, trace_id AS "traceId"`,
    );
    for (const call of stored) traceIds.set(keyOf(call), call.traceId);
  }
}

/** A span, whose start names its trace. */
export type SpanDraft = CallDraft & { start: CallStart & { traceId: string } };

const traceOf = ({ start }: SpanDraft): string => start.traceId;
const qualifiedId = (span: SpanDraft): string => `${traceOf(span)}-${span.id}`;
const spanKeyOf = (span: SpanDraft): string => `${keyOf(span)} ${traceOf(span)}`;

const inOrder = <T extends CallDraft>(calls: T[]): T[] =>
  calls.toSorted((a, b) => byCodePoint(a.projectRowId, b.projectRowId) || byCodePoint(a.id, b.id));

/** Whether the parent of a call is among others, by the keys of these. */
function parentsAmong<T extends CallDraft>(calls: readonly T[], keyOf: (call: T) => string): (call: T) => boolean {
  const started = new Set(calls.filter(({ start }) => start !== null).map(keyOf));
  return (call) => !!call.start?.parentId && started.has(keyOf({ ...call, id: call.start.parentId }));
}

const keyOf = ({ projectRowId, id }: { projectRowId: string; id: string }): string => `${projectRowId} ${id}`;

/** Each call once, with the last of each half that the drafts have of it. */
function merge<T extends CallDraft>(drafts: T[], keyOf: (draft: T) => string): T[] {
  const calls = new Map<string, T>();
  for (const draft of drafts) {
    const known = calls.get(keyOf(draft));
    if (!known) calls.set(keyOf(draft), draft);
    else calls.set(keyOf(draft), { ...known, start: laterStart(known, draft), end: draft.end ?? known.end });
  }
  return [...calls.values()];
}

/** A start that names no trace or no display name leaves what an earlier start named. */
const laterStart = ({ start: earlier }: CallDraft, { start }: CallDraft): CallDraft['start'] =>
  start
    ? {
        ...start,
        traceId: start.traceId ?? earlier?.traceId ?? null,
        displayName: start.displayName ?? earlier?.displayName ?? null,
      }
    : earlier;

import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { isAlien, isFailing, isParent } from './parents.sql.js';

/** A call that was stored. */
export interface CallKey {
  projectRowId: string;
  id: string;
}

/** The same with what was stored of it, which saves looking it up. */
export interface StoredCall extends CallKey {
  /** Null: its end alone was stored. Undefined: look it up. */
  start?: { parentId: string | null } | null;
  end?: { exception: string | null; hasDescendantError: boolean } | null;
}

interface Changed extends CallKey {
  kind: 'parent' | 'failure';
}

/** Levels of a trace that one write corrects: a circle of parents must not hold it for ever. */
const MAX_ROUNDS = 1_000;
const OF_CHILD = { trace: 'c.trace_id', parent: 'c.parent_id' };
const IS_PARENT = Prisma.raw(isParent('x', OF_CHILD));
const IS_ALIEN = Prisma.raw(`x.started_at IS NOT NULL AND ${isAlien('x', OF_CHILD)}`);
const X_IS_FAILING = Prisma.raw(isFailing('x'));

/**
 * Keeps what calls say of their place in a trace: whether the parent has arrived, and whether a call below failed. Calls
 * arrive in any order and through any process, so this runs after they are committed: of two that concern each other,
 * the later one sees both. Most of the time it reads a few index entries and changes nothing.
 */
@Injectable()
export class CallTreeRepository {
  constructor(private readonly database: Database) {}

  /** Corrects the calls that were stored, their children, and all above them. */
  async settle(stored: readonly StoredCall[]): Promise<void> {
    let keys = stored;
    for (let round = 0; keys.length > 0 && round < MAX_ROUNDS; round++) {
      const changed = await this.findChanged(keys);
      if (changed.length === 0) return;
      keys = await this.database.transaction(() => this.correct(changed));
    }
  }

  /** Children that were stored before the span that is their parent got an id of its own. */
  async moveChildren(parents: readonly (CallKey & { spanId: string; traceId: string })[]): Promise<void> {
    const [projects, ids] = columnsOf(parents);
    await this.database.client.$executeRaw`
      UPDATE calls c SET parent_id = b.i, is_orphan = false
      FROM unnest(${projects}::uuid[], ${ids}::text[], ${parents.map(({ spanId }) => spanId)}::text[],
        ${parents.map(({ traceId }) => traceId)}::text[]) AS b (p, i, span, trace)
      WHERE c.project_id = b.p AND c.parent_id = b.span AND c.trace_id = b.trace`;
  }

  /**
   * What is not as the calls that are there say. Children that were stored before their parent are orphans, so that only
   * these are looked for by their parent; those of a call that was stored before them are its own concern. `LIMIT` keeps
   * each other look-up one by an index.
   */
  private findChanged(stored: readonly StoredCall[]): Promise<Changed[]> {
    const { unknown, parents, started } = sortOut(stored);
    const [projects, ids] = columnsOf(unknown);
    const [parentProjects, parentIds] = columnsOf(parents);
    const [startedProjects, startedIds] = columnsOf(started);
    return this.database.queryBulk<Changed>(Prisma.sql`
      WITH own AS MATERIALIZED (
        SELECT c.* FROM (SELECT DISTINCT * FROM unnest(${projects}::uuid[], ${ids}::text[]) AS b (p, i)) b, LATERAL (
          SELECT c.project_id, c.id, c.parent_id, c.is_orphan, ${Prisma.raw(isFailing('c'))} AS is_failing
          FROM calls c WHERE c.project_id = b.p AND c.id = b.i LIMIT 1) c),
      orphans AS (
        SELECT project_id, id, parent_id FROM own WHERE is_orphan
        UNION ALL
        SELECT project_id, id, parent_id FROM calls WHERE is_orphan
          AND project_id = ANY(${[...new Set(startedProjects)]}::uuid[]) AND parent_id = ANY(${startedIds}::text[])),
      above AS (
        SELECT project_id, id, bool_or(is_failing) AS is_failing FROM (
          SELECT project_id, parent_id AS id, is_failing FROM own WHERE parent_id IS NOT NULL
          UNION ALL
          SELECT * FROM unnest(${parentProjects}::uuid[], ${parentIds}::text[], ${parents.map((one) => one.isFailing)}::boolean[])
        ) a GROUP BY 1, 2)
      SELECT DISTINCT 'parent' AS kind, c.project_id AS "projectRowId", c.id FROM orphans c, LATERAL (
        SELECT true FROM calls x WHERE x.project_id = c.project_id AND x.id = c.parent_id AND x.started_at IS NOT NULL LIMIT 1) x
      UNION ALL
      SELECT 'failure', n.project_id, n.id FROM above n, LATERAL (SELECT x.has_failed_descendant AS known FROM calls x
        WHERE x.project_id = n.project_id AND x.id = n.id LIMIT 1) x
      WHERE x.known <> n.is_failing AND x.known <> ${hasFailingChild('n')}`);
  }

  /** @returns what is to be looked at next */
  private async correct(changed: readonly Changed[]): Promise<CallKey[]> {
    const of = (kind: Changed['kind']) => columnsOf(changed.filter((one) => one.kind === kind));
    await this.lock(columnsOf(changed));
    const moved = await this.joinParents(of('parent'));
    const [marked, cleared] = [await this.mark(of('failure')), await this.clear(of('failure'))];
    return [...moved, ...marked, ...cleared];
  }

  /** In the order in which batches lock calls, so that they never deadlock with this. */
  private async lock([projects, ids]: Columns): Promise<void> {
    await this.database.client.$queryRaw`
      SELECT FROM calls WHERE (project_id, id) IN (SELECT * FROM unnest(${projects}::uuid[], ${ids}::text[]))
      ORDER BY project_id, id FOR UPDATE`;
  }

  /** Calls whose parent has come are no roots. Where a span of another trace has the parent's id, the parent has its own. */
  private async joinParents([projects, ids]: Columns): Promise<CallKey[]> {
    if (ids.length === 0) return [];
    const { client } = this.database;
    const isMeant = Prisma.sql`(c.project_id, c.id) IN (SELECT * FROM unnest(${projects}::uuid[], ${ids}::text[])) AND c.is_orphan`;
    await client.$executeRaw`
      UPDATE calls c SET parent_id = c.trace_id || '-' || c.parent_id
      FROM calls x WHERE ${isMeant} AND x.project_id = c.project_id AND x.id = c.parent_id AND ${IS_ALIEN}`;
    return client.$queryRaw<CallKey[]>`
      UPDATE calls c SET is_orphan = false
      FROM calls x WHERE ${isMeant} AND x.project_id = c.project_id AND x.id = c.parent_id AND ${IS_PARENT}
      RETURNING c.project_id AS "projectRowId", c.id`;
  }

  /** Marks calls with a failing child, and all above them that are not marked yet. */
  private async mark([projects, ids]: Columns): Promise<CallKey[]> {
    if (ids.length === 0) return [];
    await this.database.client.$executeRaw`
      WITH RECURSIVE up AS (
        SELECT c.project_id, c.id, c.parent_id FROM calls c
        WHERE (c.project_id, c.id) IN (SELECT * FROM unnest(${projects}::uuid[], ${ids}::text[])) AND ${hasFailingChild('c')}
        UNION
        SELECT c.project_id, c.id, c.parent_id FROM up JOIN calls c ON c.project_id = up.project_id AND c.id = up.parent_id
        WHERE NOT c.has_failed_descendant),
      locked AS (
        SELECT c.project_id, c.id FROM calls c WHERE (c.project_id, c.id) IN (SELECT project_id, id FROM up)
        ORDER BY c.project_id, c.id FOR UPDATE)
      UPDATE calls c SET has_failed_descendant = true FROM locked l
      WHERE c.project_id = l.project_id AND c.id = l.id AND NOT c.has_failed_descendant`;
    return [];
  }

  /** Calls whose failing children were replaced by ones that did not fail. @returns their keys: those above them are next */
  private async clear([projects, ids]: Columns): Promise<CallKey[]> {
    if (ids.length === 0) return [];
    return this.database.client.$queryRaw<CallKey[]>`
      UPDATE calls c SET has_failed_descendant = false
      WHERE (c.project_id, c.id) IN (SELECT * FROM unnest(${projects}::uuid[], ${ids}::text[])) AND c.has_failed_descendant
        AND NOT ${hasFailingChild('c')}
      RETURNING c.project_id AS "projectRowId", c.id`;
  }
}

interface Parent extends CallKey {
  /** One of its children that were stored failed. */
  isFailing: boolean;
}

/**
 * Which calls must be looked up (those that were stored without their start, or whose parent was not stored with them), the
 * parents of the others, and those whose start was stored, for which children may wait.
 */
function sortOut(stored: readonly StoredCall[]): { unknown: CallKey[]; parents: Parent[]; started: CallKey[] } {
  const started = stored.filter(({ start }) => start !== null);
  const ids = new Set(started.map(({ id }) => id));
  const parents = new Map<string, Parent>();
  const unknown: CallKey[] = [];
  for (const call of stored) {
    const parentId = call.start?.parentId;
    if (parentId === null) continue;
    if (parentId === undefined || !ids.has(parentId)) unknown.push(call);
    else {
      const { projectRowId, end } = call;
      const key = `${projectRowId} ${parentId}`;
      const isFailing = !!end && (end.exception !== null || end.hasDescendantError);
      parents.set(key, { projectRowId, id: parentId, isFailing: isFailing || (parents.get(key)?.isFailing ?? false) });
    }
  }
  return { unknown, parents: [...parents.values()], started };
}

type Columns = [projects: string[], ids: string[]];

const columnsOf = (keys: readonly CallKey[]): Columns => [
  keys.map(({ projectRowId }) => projectRowId),
  keys.map(({ id }) => id),
];

const hasFailingChild = (parent: string): Prisma.Sql => Prisma.sql`coalesce((SELECT true FROM calls x
  WHERE x.project_id = ${Prisma.raw(parent)}.project_id AND x.parent_id = ${Prisma.raw(parent)}.id AND ${X_IS_FAILING} LIMIT 1), false)`;

import { Injectable } from '@nestjs/common';
import {
  byCodePoint,
  CallEndDto,
  type CallHalfDto,
  CallStartDto,
  check,
  type Class,
  issue,
  type Issue,
  type Loc,
  MAX_ISSUES,
} from '@hone/contracts';
import { Database, newId } from '@hone/database';
import { type Principal, ProjectAccess } from '@hone/auth';
import { RefScheme, ValidationError } from '@hone/platform';

import { toCallEnd, toCallStart } from './call.mapper.js';
import type { CallDraft, CallStart } from './call.record.js';
import { CallRepository } from './call.repository.js';

/** A validated half. */
type Half = { projectId: string; id: string } & ({ start: CallStartDto } | { end: CallEndDto });

@Injectable()
export class CallService {
  constructor(
    private readonly calls: CallRepository,
    private readonly access: ProjectAccess,
    private readonly database: Database,
    private readonly refScheme: RefScheme,
  ) {}

  /**
   * Stores halves of calls, all or none; they may come in any order.
   *
   * @returns per half, in order: `{id, trace_id}` of a start, `{}` of an end
   * @throws ValidationError, AccessDeniedError
   */
  async upsertBatch(author: Principal, batch: CallHalfDto[]): Promise<{ res: Record<string, unknown>[] }> {
    const halves = readHalves(batch);
    const projectIds = halves.map(({ projectId }) => projectId);
    const grants = await this.access.grantWrites(author, 'trace', projectIds, 'writer', true);
    const drafts = this.#toDrafts(halves, author.userId);
    const traceIds = await this.database.transaction(async () => {
      const rowIds = new Map<string, string>();
      for (const [projectId, grant] of grants) rowIds.set(projectId, await this.access.rowIdFor(author, grant));
      return this.calls.save(drafts, rowIds);
    });
    const byKey = new Map(drafts.map((draft, index) => [keyOf(draft), traceIds[index] as string]));
    return {
      res: halves.map((half) => ('end' in half ? {} : { id: half.id, trace_id: byKey.get(keyOf(half)) })),
    };
  }

  /** Each call once, with the last of each half that the batch has of it, by project and id. */
  #toDrafts(halves: Half[], svcUserId: string): CallDraft[] {
    const drafts = new Map<string, CallDraft>();
    for (const half of halves) {
      const { projectId, id } = half;
      const draft = drafts.get(keyOf(half)) ?? { projectId, id, svcUserId, start: null, end: null };
      if ('end' in half) draft.end = toCallEnd(half.end);
      else draft.start = withTraceOf(draft.start, toCallStart(half.start, this.refScheme.name));
      drafts.set(keyOf(half), draft);
    }
    return [...drafts.values()].sort((a, b) => byCodePoint(keyOf(a), keyOf(b)));
  }
}

/** A start that names no trace leaves its call in the one that an earlier start named. */
const withTraceOf = (earlier: CallStart | null, start: CallStart): CallStart => ({
  ...start,
  traceId: start.traceId ?? earlier?.traceId ?? null,
});

const keyOf = ({ projectId, id }: { projectId: string; id: string }): string => `${projectId} ${id}`;

function readHalves(batch: CallHalfDto[]): Half[] {
  const issues: Issue[] = [];
  const halves = batch.map(({ mode, req }, index): Half | undefined => {
    if (issues.length >= MAX_ISSUES) return undefined;
    const loc = ['body', 'batch', index, 'req'];
    for (const key of Object.keys(req)) if (key !== mode) issues.push(issue('extra_forbidden', [...loc, key]));
    if (mode === 'start') {
      const start = readHalf(CallStartDto, req['start'], [...loc, 'start'], issues);
      return start && { projectId: start.project_id, id: start.id ?? newId(), start };
    }
    const end = readHalf(CallEndDto, req['end'], [...loc, 'end'], issues);
    return end && { projectId: end.project_id, id: end.id, end };
  });
  if (issues.length) throw new ValidationError(issues);
  return halves as Half[];
}

function readHalf<T extends object>(type: Class<T>, input: unknown, loc: Loc, issues: Issue[]): T | undefined {
  if (input === undefined) {
    issues.push(issue('missing', loc));
    return undefined;
  }
  const checked = check(type, input, loc);
  issues.push(...checked.issues);
  return checked.value;
}

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
} from '@hone/contracts';
import { Database } from '@hone/database';
import { type Principal, ProjectAccess } from '@hone/auth';
import { RefScheme, ValidationError } from '@hone/platform';

import { toCallEnd, toCallStart } from './call.mapper.js';
import { CallRepository } from './call.repository.js';

/** A validated half and its index in the batch. */
type Half = { index: number; projectId: string } & ({ start: CallStartDto } | { end: CallEndDto });

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
    return this.database.transaction(async () => {
      const rowIds = new Map<string, string>();
      for (const [projectId, grant] of grants) rowIds.set(projectId, await this.access.rowIdFor(author, grant));
      const res: Record<string, unknown>[] = [];
      for (const half of inLockOrder(halves)) {
        res[half.index] = await this.#save(rowIds.get(half.projectId) as string, half, author.userId);
      }
      return { res };
    });
  }

  async #save(projectRowId: string, half: Half, svcUserId: string): Promise<Record<string, unknown>> {
    if ('end' in half) {
      await this.calls.saveEnd(projectRowId, toCallEnd(half.end, svcUserId));
      return {};
    }
    const start = toCallStart(half.start, svcUserId, this.refScheme.name);
    return { id: start.id, trace_id: await this.calls.saveStart(projectRowId, start) };
  }
}

function readHalves(batch: CallHalfDto[]): Half[] {
  const issues: Issue[] = [];
  const halves = batch.map(({ mode, req }, index): Half | undefined => {
    const loc = ['body', 'batch', index, 'req'];
    for (const key of Object.keys(req)) if (key !== mode) issues.push(issue('extra_forbidden', [...loc, key]));
    if (mode === 'start') {
      const start = readHalf(CallStartDto, req['start'], [...loc, 'start'], issues);
      return start && { index, projectId: start.project_id, start };
    }
    const end = readHalf(CallEndDto, req['end'], [...loc, 'end'], issues);
    return end && { index, projectId: end.project_id, end };
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

/** By project and id, so that two batches with the same calls never deadlock. */
const inLockOrder = (halves: Half[]): Half[] => [...halves].sort((a, b) => byCodePoint(keyOf(a), keyOf(b)));

const keyOf = (half: Half): string => `${half.projectId} ${('start' in half ? half.start.id : half.end.id) ?? ''}`;

import { type Principal, ProjectAccess, type ProjectGrant } from '@hone/auth';
import { type CallDraft, type CallEnd, type CallStart, CallWriteRepository } from '@hone/calls';
import type { CallStartResultDto, EmptyResultDto } from '@hone/contracts';
import { Database, GroupCommit, newId } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { SentCall } from './call-bodies.task.js';

const GROUP_LIMITS = { rows: 256, bytes: 4 * 1_048_576 };

/** A call of one request, before its project is known to exist. */
export interface UnplacedCall {
  projectId: string;
  id: string;
  start: CallStart | null;
  end: CallEnd | null;
}

/** A span, whose start names its trace. */
export type UnplacedSpan = UnplacedCall & { start: CallStart & { traceId: string } };

@Injectable()
export class CallWriteService {
  private readonly singles = new GroupCommit<CallDraft, string | null>(
    (drafts) => this.calls.save(drafts),
    GROUP_LIMITS,
  );

  constructor(
    private readonly calls: CallWriteRepository,
    private readonly access: ProjectAccess,
    private readonly database: Database,
  ) {}

  /**
   * Stores the first half of a call; the second may have come before it.
   *
   * @throws AccessDeniedError
   */
  async start(author: Principal, projectId: string, call: SentCall): Promise<CallStartResultDto> {
    const half = unplaced(projectId, call);
    return { id: half.id, trace_id: (await this.saveSingle(author, half)) as string };
  }

  /**
   * Stores the second half of a call; the first may come after it.
   *
   * @throws AccessDeniedError
   */
  async end(author: Principal, projectId: string, call: SentCall): Promise<EmptyResultDto> {
    await this.saveSingle(author, unplaced(projectId, call));
    return {};
  }

  /** Stores halves of one call that the server makes itself. @throws AccessDeniedError */
  async store(author: Principal, call: UnplacedCall): Promise<void> {
    await this.saveSingle(author, call);
  }

  /**
   * Stores halves of calls, all or none; they may come in any order.
   *
   * @returns per half, in order: `{id, trace_id}` of a start, `{}` of an end
   * @throws AccessDeniedError
   */
  async upsertBatch(author: Principal, batch: SentCall[]): Promise<{ res: Record<string, unknown>[] }> {
    const halves = batch.map((half) => unplaced(half.projectId as string, half));
    const traceIds = await this.saveBatch(author, halves);
    return { res: halves.map(({ id, end }, at) => (end ? {} : { id, trace_id: traceIds[at] })) };
  }

  /**
   * Stores whole calls, all or none.
   *
   * @throws AccessDeniedError
   */
  async complete(author: Principal, projectId: string, batch: SentCall[]): Promise<EmptyResultDto> {
    await this.access.grantWrite(author, 'trace', projectId, 'writer');
    await this.saveBatch(
      author,
      batch.map((call) => unplaced(projectId, call)),
    );
    return {};
  }

  /**
   * Stores spans of any projects as calls. Their ids are unique in their trace.
   *
   * @throws AccessDeniedError
   */
  async saveSpans(author: Principal, spans: UnplacedSpan[]): Promise<void> {
    if (spans.length > 0) await this.place(author, spans, (drafts) => this.calls.saveSpans(drafts));
  }

  private async saveSingle(author: Principal, call: UnplacedCall): Promise<string | null> {
    const grant = await this.access.grantWrite(author, 'trace', call.projectId, 'writer');
    const draft = { ...call, projectRowId: await this.access.rowIdFor(author, grant), svcUserId: author.userId };
    // A transaction that is already open must hold the row itself.
    if (this.database.inTransaction) return (await this.calls.save([draft]))[0] as string | null;
    return this.singles.submit(draft, lengthOf(draft));
  }

  private saveBatch(author: Principal, calls: UnplacedCall[]): Promise<(string | null)[]> {
    return calls.length === 0 ? Promise.resolve([]) : this.place(author, calls, (drafts) => this.calls.save(drafts));
  }

  /** Grants what calls need to be written, and makes their projects. @param store all that are there are stored */
  private async place<T extends UnplacedCall, R>(
    author: Principal,
    calls: T[],
    store: (drafts: (T & CallDraft)[]) => Promise<R>,
  ): Promise<R> {
    const projectIds = calls.map(({ projectId }) => projectId);
    const grants = await this.access.grantWrites(author, 'trace', projectIds, 'writer', true);
    const save = async () => store(await this.toDrafts(author, calls, grants));
    // A project that is made by the batch goes with it when the batch fails.
    const isMade = [...grants.values()].every(({ rowId }) => rowId !== null);
    return isMade ? save() : this.database.transaction(save);
  }

  private async toDrafts<T extends UnplacedCall>(
    author: Principal,
    calls: T[],
    grants: ReadonlyMap<string, ProjectGrant>,
  ): Promise<(T & CallDraft)[]> {
    const rowIds = new Map<string, string>();
    for (const [projectId, grant] of grants) rowIds.set(projectId, await this.access.rowIdFor(author, grant));
    return calls.map((call) => ({
      ...call,
      projectRowId: rowIds.get(call.projectId) as string,
      svcUserId: author.userId,
    }));
  }
}

const unplaced = (projectId: string, { id, start, end }: SentCall): UnplacedCall => ({
  projectId,
  id: id ?? newId(),
  start,
  end,
});

const lengthOf = ({ start, end }: CallDraft): number =>
  [start?.attributes, start?.inputs, end?.output, end?.summary].reduce(
    (length, value) => length + (value?.text.length ?? 0),
    0,
  );

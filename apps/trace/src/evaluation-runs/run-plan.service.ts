import { type Principal, ProjectAccess } from '@hone/auth';
import {
  asNumber,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  memberOf,
  parseJson,
  parseRef,
  parseTableRef,
} from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import { ObjectRefs } from '../calls/reads/object-refs.js';
import { TrackedCallService } from './tracked-call.service.js';
import type { TrackedCall } from './tracked-kind.js';
import type { PlannedRun, PlannedTable } from './trials.sql.js';

type Plan = Omit<PlannedRun, 'id'>;

const UNKNOWN: Plan = { trials: null, table: null };

/** Which rows runs should have: those of the datasets of their evaluations. */
@Injectable()
export class RunPlanService {
  constructor(
    private readonly tracked: TrackedCallService,
    private readonly objects: ObjectRefs,
    private readonly access: ProjectAccess,
  ) {}

  /** The runs in their order. What is not stored, or the caller may not read, is not known. */
  async plan(caller: Principal, projectId: string, projectRowId: string, ids: string[]): Promise<PlannedRun[]> {
    const calls = new Map<string, TrackedCall>();
    for (const call of await this.tracked.listRuns(projectId, projectRowId, ids)) calls.set(call.row.id, call);
    const plans = new Map<string, Plan>();
    for (const call of calls.values()) {
      const evaluation = evaluationOf(call);
      if (evaluation !== null && !plans.has(evaluation)) plans.set(evaluation, await this.planOf(caller, evaluation));
    }
    return ids.map((id) => {
      const call = calls.get(id);
      return { id, ...((call && plans.get(evaluationOf(call) ?? '')) ?? UNKNOWN) };
    });
  }

  private async planOf(caller: Principal, evaluation: string): Promise<Plan> {
    const val = await this.valueOf(caller, evaluation);
    if (val === null) return UNKNOWN;
    const trials = asNumber(val['trials']);
    return {
      trials: trials !== undefined && Number.isInteger(trials) && trials >= 1 ? Math.min(trials, MAX_INT32) : 1,
      table: await this.tableOf(caller, val['dataset']),
    };
  }

  private async tableOf(caller: Principal, dataset: JsonValue | undefined): Promise<PlannedTable | null> {
    const val = typeof dataset === 'string' ? await this.valueOf(caller, dataset) : null;
    const rows = val?.['rows'];
    const ref = typeof rows === 'string' ? parseTableRef(rows) : undefined;
    const projectRowId = ref ? await this.access.findIfReadable(caller, 'trace', ref.projectId) : null;
    return ref && projectRowId !== null ? { projectRowId, digest: ref.digest } : null;
  }

  /** The value of a live version that the caller may read; null: there is none, or it is no object. */
  private async valueOf(caller: Principal, ref: string): Promise<JsonObject | null> {
    if (parseRef(ref)?.kind !== 'object') return null;
    const value = parseJson((await this.objects.find(caller, ref)) ?? 'null');
    return isJsonObject(value) ? value : null;
  }
}

const MAX_INT32 = 2_147_483_647;

/** Weave's `EvaluationLogger` stores an evaluation of its own, whose dataset is a name and no rows. */
const isOfLogger = ({ texts }: TrackedCall): boolean =>
  memberOf(memberOf(parseJson(texts.attributes ?? '{}'), '_weave_eval_meta'), 'imperative') === true;

/** Both our runs and those of SDKs name the evaluation in their inputs. */
function evaluationOf(call: TrackedCall): string | null {
  const self = memberOf(parseJson(call.texts.inputs ?? '{}'), 'self');
  return typeof self === 'string' && !isOfLogger(call) ? self : null;
}

import { AccessDeniedError, type Principal } from '@hone/auth';
import {
  formatArtifactRef,
  type LineageCallDto,
  type LineageDataDto,
  type LineageDto,
  type LineageQueryDto,
  type TrainingDataQueryDto,
  type TrainingDataVersionDto,
} from '@hone/contracts';
import { RefScheme } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { TrainingAccess } from '../../access/training-access.js';
import { type Page, toPage, toPageQuery } from '../../http/page.js';
import { ModelNotFoundError } from '../../models/model.errors.js';
import { ModelAccess } from '../../models/model-access.js';
import { grouped } from '../grouped.js';
import { LineageNotFoundError } from './lineage.errors.js';
import { type DataVersionRecord, LineageRepository } from './lineage.repository.js';

/** Walks from checkpoints to the calls that they learned from, and from calls to data. */
@Injectable()
export class LineageService {
  constructor(
    private readonly lineage: LineageRepository,
    private readonly models: ModelAccess,
    private readonly access: TrainingAccess,
    private readonly scheme: RefScheme,
  ) {}

  /**
   * Data, with its calls and their feedback, is shown to those who may read the calls of its project.
   *
   * @throws LineageNotFoundError, AccessDeniedError
   */
  async of(caller: Principal, checkpointId: string, { limit = 20, after }: LineageQueryDto): Promise<LineageDto> {
    const modelId = await this.lineage.findModelOf(checkpointId);
    if (modelId === null) throw new LineageNotFoundError(checkpointId);
    const model = await this.models.getReadable(caller, modelId).catch((error: unknown) => {
      throw error instanceof ModelNotFoundError ? new LineageNotFoundError(checkpointId) : error;
    });
    const steps = await this.lineage.listSteps(model.projectId, checkpointId);
    const ids = new Set(steps.flatMap(({ dataVersionId }) => (dataVersionId === null ? [] : [dataVersionId])));
    const visible = new Map<string, DataVersionRecord>();
    for (const data of await this.lineage.findData([...ids])) {
      if (await this.mayReadCalls(caller, data)) visible.set(data.id, data);
    }
    const dataOf = (id: string | null) => (id === null ? undefined : visible.get(id));
    const own = dataOf(steps[0]?.dataVersionId ?? null);
    return {
      model_id: modelId,
      steps: steps.map(({ checkpointId: id, step, jobId, dataVersionId }) => {
        const data = dataOf(dataVersionId);
        return { checkpoint_id: id, step, job_id: jobId, data: data ? this.toData(data) : null };
      }),
      calls: await this.callsOf(own, after || undefined, limit),
    };
  }

  /** @throws ValidationError, AccessDeniedError `entity` is one on which the caller has no role */
  async list(caller: Principal, query: TrainingDataQueryDto): Promise<Page<TrainingDataVersionDto>> {
    const page = toPageQuery(query);
    const { contains_call: callId, entity, project } = query;
    const found = await this.lineage.listData(this.access.visibleTo(caller, entity), { callId, entity, project }, page);
    return toPage(
      found.map((data) => ({
        id: data.id,
        name: data.name,
        version: `v${data.version}`,
        url: this.urlOf(data),
        digest: data.digest,
        bytes: data.bytes,
        created_at: data.createdAt.toISOString(),
        entity: data.entity,
        project: data.project,
        calls: data.calls,
      })),
      page.limit,
    );
  }

  private async mayReadCalls(caller: Principal, { entity, project }: DataVersionRecord): Promise<boolean> {
    try {
      return (await this.access.findReadableCalls(caller, entity, project)) !== null;
    } catch (error) {
      if (error instanceof AccessDeniedError) return false;
      throw error;
    }
  }

  private async callsOf(
    data: DataVersionRecord | undefined,
    after: string | undefined,
    limit: number,
  ): Promise<Page<LineageCallDto>> {
    if (!data) return toPage([], limit);
    const calls = await this.lineage.listCalls(data, after, limit);
    const feedback = grouped(
      await this.lineage.listFeedback(
        data,
        calls.map(({ id }) => id),
      ),
      ({ callId }) => callId,
    );
    return toPage(
      calls.map(({ id, split, isDeleted }) => ({
        id,
        split,
        deleted: isDeleted,
        feedback: (feedback.get(id) ?? []).map((one) => ({
          id: one.id,
          feedback_type: one.feedbackType,
          svc_user_id: one.svcUserId,
          creator: one.creator,
          created_at: one.createdAt.toISOString(),
        })),
      })),
      limit,
    );
  }

  private toData(data: DataVersionRecord): LineageDataDto {
    const { id, digest, calls, createdAt, deletedAt } = data;
    const times = { created_at: createdAt.toISOString(), deleted_at: deletedAt?.toISOString() ?? null };
    return { id, url: this.urlOf(data), digest, calls, ...times };
  }

  private urlOf({ entity, project, name, version }: DataVersionRecord): string {
    return formatArtifactRef({ scheme: this.scheme.name, entity, project, name, version });
  }
}

import {
  formatTrainedModelRef,
  type TrainableModelDetailDto,
  type TrainableModelDto,
  type TrainableModelItemDto,
} from '@hone/contracts';

import type { ModelFacts, ModelListRecord, ModelRecord } from './model.record.js';

export const toTrainableModel = (model: ModelRecord): TrainableModelDto => ({
  id: model.id,
  entity: model.entity,
  project: model.project,
  name: model.name,
  base_model: model.baseModel,
  run_id: model.runId,
});

/** @param scheme of the refs that this server writes */
export const toModelItem = (model: ModelListRecord, scheme: string): TrainableModelItemDto => ({
  ...toTrainableModel(model),
  created_at: model.createdAt.toISOString(),
  latest_step: model.latestStep,
  inference_name: formatTrainedModelRef({ scheme, entity: model.entity, project: model.project, name: model.name }),
});

export const toModelDetail = (
  model: ModelRecord,
  facts: ModelFacts,
  baseMetrics: Record<string, number>,
  scheme: string,
): TrainableModelDetailDto => ({
  ...toModelItem({ ...model, latestStep: facts.latestStep }, scheme),
  checkpoint_count: facts.checkpointCount,
  bytes: facts.bytes,
  base_metrics: baseMetrics,
  open_jobs: facts.openJobs,
});

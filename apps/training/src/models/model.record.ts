import type { OwningProject } from '../access/training-access.js';

/** A live model. */
export interface ModelRecord extends OwningProject {
  id: string;
  name: string;
  baseModel: string;
  runId: string;
  /** Remote engine that made its first step; null: none yet, or the embedded engine. */
  engine: string | null;
  /** Highest step ever given. */
  lastStep: number;
  createdAt: Date;
}

export interface ModelListRecord extends ModelRecord {
  /** 0: no checkpoint. */
  latestStep: number;
}

/** What an answer reports of one model beyond its row. */
export interface ModelFacts {
  latestStep: number;
  checkpointCount: number;
  /** Of all live checkpoints; those that share their bytes count once. */
  bytes: number;
  openJobs: number;
}

export interface ModelDraft {
  projectId: string;
  name: string;
  baseModel: string;
  createdBy: string;
}

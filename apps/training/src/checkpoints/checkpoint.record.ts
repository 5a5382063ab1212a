import type { CheckpointEngineDto, CheckpointKind } from '@hone/contracts';

/** A live checkpoint as a list shows it. */
export interface CheckpointRecord {
  id: string;
  step: number;
  metrics: Record<string, number>;
}

export interface CheckpointDetail extends CheckpointRecord {
  createdAt: Date;
  /** Null: imported. */
  jobId: string | null;
  kind: CheckpointKind;
  /** 0: the base. */
  parentStep: number;
  bytes: number;
  /** Somebody reads its bytes now. */
  isPinned: boolean;
  /** As its trainer stored it. Null: the embedded engine made it, or it was imported. */
  engine: CheckpointEngineDto | null;
  /** Of its folder in the artifact store. */
  uri: string;
  manifestSha256: string;
}

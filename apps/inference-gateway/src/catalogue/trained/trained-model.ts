/** A trainable model as requests are answered with it. */
export interface TrainedModel {
  readonly id: string;
  readonly entity: string;
  readonly project: string;
  readonly name: string;
  /** What it was trained from, by the name that its creator gave. */
  readonly baseModel: string;
  readonly createdAt: Date;
}

/** Weights at a step, 1 or more, as they lie in the artifact store. */
export interface StoredCheckpoint {
  readonly id: string;
  readonly step: number;
  /** Of its folder. */
  readonly uri: string;
  /** Hex: vouches for every file of the folder. */
  readonly manifestSha256: string;
  readonly createdAt: Date;
}

/** What a reference means at one moment: fixed for a whole request. */
export interface ResolvedRef {
  readonly model: TrainedModel;
  /** Null: the base model itself, which is step 0. */
  readonly checkpoint: StoredCheckpoint | null;
}

export const stepOf = ({ checkpoint }: ResolvedRef): number => checkpoint?.step ?? 0;

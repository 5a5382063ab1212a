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

/** Threads of a split that belong to an arm, of {@link SPLIT_PARTS} parts. */
interface ArmRange {
  readonly arm: string;
  readonly from: number;
  /** Excluded. */
  readonly to: number;
}

/** Which models answer the requests that name an alias. */
export interface AliasSplit {
  /** Salt of its draws. */
  readonly id: string;
  readonly alias: string;
  readonly version: number;
  readonly arms: readonly { readonly name: string; readonly model: string }[];
  /** Disjoint. Those of no arm belong to the checkpoint of the alias. */
  readonly ranges: readonly ArmRange[];
  /** A model that answers a share of the requests a second time; null: none. */
  readonly shadow: SplitShadow | null;
}

export interface SplitShadow {
  readonly model: string;
  /** Of the requests that the checkpoint of the alias answers, 0 to 1. */
  readonly share: number;
  /** Null: no limit of its own. */
  readonly maxCostUsdPerDay: number | null;
}

/** What a reference means at one moment: fixed for a whole request. */
export interface ResolvedRef {
  readonly model: TrainedModel;
  /** Null: the base model itself, which is step 0. */
  readonly checkpoint: StoredCheckpoint | null;
  /** Of the alias that the reference names. Null: it names none, or one without a split. */
  readonly split: AliasSplit | null;
}

export const stepOf = ({ checkpoint }: ResolvedRef): number => checkpoint?.step ?? 0;

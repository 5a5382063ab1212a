import type { ModelKind } from '@hone/contracts';

/** One entry of the model list. */
export interface ListedModel {
  readonly id: string;
  /** Unix seconds; the same at each call. */
  readonly created: number;
  readonly ownedBy: string;
  readonly root: string;
  /** What it does instead of chats. Absent: it answers chats. */
  readonly kind?: ModelKind;
}

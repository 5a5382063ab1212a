/** One entry of the model list. */
export interface ListedModel {
  readonly id: string;
  /** Unix seconds; the same at each call. */
  readonly created: number;
  readonly ownedBy: string;
  readonly root: string;
  /** It answers embeddings alone. Absent: it answers chats. */
  readonly kind?: 'embedding';
}

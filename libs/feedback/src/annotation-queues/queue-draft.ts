/** Who may work on the items of a queue, and for how long. */
export interface QueueRules {
  /** Most annotators of one item. Null: any number. */
  reviewersPerItem: number | null;
  /** How long a claimed item is reserved unless the claim says otherwise. */
  leaseSeconds: number;
  /** Only the assignees of an item may annotate it. */
  assignedOnly: boolean;
}

/** A queue that is to be made. */
export interface QueueDraft extends QueueRules {
  id: string;
  name: string;
  description: string;
  /** Without scheme. */
  scorerRefs: string[];
  createdBy: string;
}

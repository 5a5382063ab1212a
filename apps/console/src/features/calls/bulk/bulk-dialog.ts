/** What each dialog of a bulk action gets. */
export interface BulkDialogProps {
  readonly callIds: readonly string[];
  readonly close: () => void;
  /** Ends the selection, once the action is done. */
  readonly clear: () => void;
}

/** Most calls that one request takes. */
export const CALLS_PER_REQUEST = 1_000;

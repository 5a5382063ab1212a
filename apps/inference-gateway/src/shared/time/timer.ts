/** A timer that can be cancelled. */
export interface Timer {
  cancel(): void;
}

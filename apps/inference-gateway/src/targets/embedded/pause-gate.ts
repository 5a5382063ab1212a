/** A gate for backpressure: `pass` waits while it is closed. */
export class PauseGate {
  private waiting: Promise<void> | null = null;
  private release: () => void = () => undefined;

  close(): void {
    this.waiting ??= new Promise((resolve) => (this.release = resolve));
  }

  open(): void {
    this.release();
    this.waiting = null;
  }

  /** Resolves when the gate is open. */
  async pass(): Promise<void> {
    while (this.waiting !== null) await this.waiting;
  }
}

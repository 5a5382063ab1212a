const WIDTH = 24;

/** What is going on, on stderr: one line that changes on a terminal, a line per stage elsewhere. */
export class Progress {
  private stage = '';

  /** @param isTerminal whether the line may be written over */
  constructor(
    private readonly write: (text: string) => void = (text) => process.stderr.write(text),
    private readonly isTerminal = process.stderr.isTTY,
  ) {}

  /** A new stage begins. */
  begin(stage: string): void {
    this.stage = stage;
    this.show(stage);
  }

  /** Progress of the stage; `total` 0: not known yet. */
  at(done: number, total: number): void {
    if (!this.isTerminal) return;
    const filled = total === 0 ? 0 : Math.round((done / total) * WIDTH);
    this.show(`${this.stage} [${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] ${done}/${total || '?'}`);
  }

  /** What the line says by now; elsewhere than on a terminal nothing. */
  tick(text: string): void {
    if (this.isTerminal) this.show(text);
  }

  end(): void {
    if (this.isTerminal) this.write('\r\x1b[K');
  }

  private show(text: string): void {
    this.write(this.isTerminal ? `\r\x1b[K${text}` : `${text}\n`);
  }
}

/** What is going on, on stderr: one line that changes on a terminal, a line per step elsewhere. */
export class Progress {
  #step = '';

  step(text) {
    this.#step = text;
    this.#show(text);
  }

  /** How far the current step is. */
  detail(text) {
    if (process.stderr.isTTY) this.#show(`${this.#step}: ${text}`);
  }

  end() {
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  }

  #show(text) {
    process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${text}` : `${text}\n`);
  }
}

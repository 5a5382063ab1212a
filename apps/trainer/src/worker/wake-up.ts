/** A condition variable with a timeout: loops sleep until there may be work. */
export class WakeUp {
  private readonly sleepers = new Set<() => void>();

  async sleep(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.sleepers.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      this.sleepers.add(wake);
    });
  }

  wakeAll(): void {
    for (const wake of [...this.sleepers]) wake();
  }
}

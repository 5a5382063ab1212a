import type { DownloadProgress } from '../model/index.js';

const EVERY_MS = 200;
const BAR = 24;
/** Smaller files download too fast to show progress. */
const SMALL = 1e6;

/** Where a progress line is written. */
interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Shows how far a download is: in one line of a terminal; elsewhere a line for each file that is whole. */
export class ProgressLine {
  private file = '';
  private begun = { at: 0, bytes: 0 };
  private shownAt = 0;

  constructor(
    private readonly screen: Screen,
    private readonly now: () => number = () => performance.now(),
  ) {}

  show(progress: DownloadProgress): void {
    const at = this.now();
    if (progress.total !== null && progress.total < SMALL) return;
    if (progress.file !== this.file) {
      this.file = progress.file;
      this.begun = { at, bytes: progress.bytes };
      this.shownAt = -Infinity;
    }
    const isWhole = progress.bytes === progress.total;
    if (!isWhole && (!this.screen.isTTY || at - this.shownAt < EVERY_MS)) return;
    this.shownAt = at;
    const text = this.lineOf(progress, (at - this.begun.at) / 1_000);
    this.screen.write(this.screen.isTTY ? `\r\u001b[K${text}${isWhole ? '\n' : ''}` : `${text}\n`);
  }

  private lineOf({ file, bytes, total }: DownloadProgress, seconds: number): string {
    if (total === null || bytes === total) return `${file}  ${megabytes(bytes)}`;
    const filled = Math.round((BAR * bytes) / total);
    const rate = (bytes - this.begun.bytes) / seconds;
    const left = rate > 0 ? `, ${duration((total - bytes) / rate)} left` : '';
    return `${file}  ${'#'.repeat(filled)}${'.'.repeat(BAR - filled)}  ${megabytes(bytes)} of ${megabytes(total)}${left}`;
  }
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
const duration = (seconds: number) =>
  seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60).toLocaleString('en')} min`;

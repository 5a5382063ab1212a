import type { GatewayConfiguration } from './gateway-configuration.js';
import type { UpstreamsFile } from './upstreams.config.js';

/** Files are looked at, not listened to: replaced ones, and those on mounted volumes, tell nobody. */
const LOOK_MS = 1_000;

export interface ConfigurationListener {
  /** @throws Error it cannot be used after all */
  onConfiguration(configuration: GatewayConfiguration): void;
  /** The file is wrong; what was read before stays. */
  onRefused(error: Error): void;
}

/** Reads the upstreams file again when it changes, or when the process gets SIGHUP. */
export class ConfigurationWatcher {
  private readonly reload = () => this.read();
  private looking: NodeJS.Timeout | null = null;

  constructor(
    private readonly file: UpstreamsFile,
    private readonly listener: ConfigurationListener,
    private readonly lookMs = LOOK_MS,
  ) {}

  /** To be called after the file was read once. */
  start(): void {
    process.on('SIGHUP', this.reload);
    this.looking = setInterval(() => {
      if (this.file.hasChanged) this.read();
    }, this.lookMs);
    this.looking.unref();
  }

  stop(): void {
    process.off('SIGHUP', this.reload);
    if (this.looking !== null) clearInterval(this.looking);
  }

  private read(): void {
    try {
      this.listener.onConfiguration(this.file.read());
    } catch (error) {
      this.listener.onRefused(error as Error);
    }
  }
}

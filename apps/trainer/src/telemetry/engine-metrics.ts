import type { EngineObserver, RequestOutcome, StepSeconds } from '@hone/tinker';
import { Counter, Histogram, type Registry } from 'prom-client';

/** Bucket bounds in seconds: from a small model on a laptop to a large one whose server compiles first. */
const BUCKETS = [0.001, 0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 300];

/** The metrics of training servers; `engine` is the name in the engines file. */
export class EngineMetrics implements EngineObserver {
  private readonly requests: Counter<'engine' | 'call' | 'outcome'>;
  private readonly waits: Counter<'engine' | 'reason'>;
  private readonly seconds: Histogram<'engine' | 'part'>;

  constructor(metrics: Registry) {
    const registers = [metrics];
    this.requests = new Counter({
      name: 'trainer_engine_requests_total',
      help: 'Requests to training servers, by how they ended.',
      labelNames: ['engine', 'call', 'outcome'],
      registers,
    });
    this.waits = new Counter({
      name: 'trainer_engine_waits_total',
      help: 'Jobs that went back to the queue as their training server was full or did not answer.',
      labelNames: ['engine', 'reason'],
      registers,
    });
    this.seconds = new Histogram({
      name: 'trainer_engine_step_seconds',
      help: 'Gradient steps on training servers, by where their time goes.',
      labelNames: ['engine', 'part'],
      buckets: BUCKETS,
      registers,
    });
  }

  request(engine: string, call: string, outcome: RequestOutcome): void {
    this.requests.inc({ engine, call, outcome });
  }

  step(engine: string, seconds: StepSeconds): void {
    for (const [part, value] of Object.entries(seconds)) this.seconds.observe({ engine, part }, value as number);
  }

  /** @param code of the error that put the job back, as `engine.capacity` */
  wait(engine: string, code: string): void {
    this.waits.inc({ engine, reason: code.replace('engine.', '') });
  }
}

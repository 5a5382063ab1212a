import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { Counter, Gauge } from 'prom-client';

const PREFIX = 'hone_gateway_usage_';

/** What `/metrics` tells about metering. Every number but the last should be 0 or fall back to it. */
@Injectable()
export class UsageMetrics {
  readonly unjournalled: Counter;
  readonly rejected: Counter;
  readonly writeFailures: Counter;
  readonly limitFailures: Counter;
  /** Hours and months whose sums differ from their records, at the last check. */
  readonly drift: Gauge;

  constructor(private readonly host: HttpAdapterHost) {
    this.unjournalled = this.#counter(
      'unjournalled_total',
      'Records that were not journalled before their answer went out.',
    );
    this.rejected = this.#counter(
      'rejected_total',
      'Records that the database will never take; they are in rejected.jsonl.',
    );
    this.writeFailures = this.#counter(
      'write_failures_total',
      'Batches that did not reach the database and are tried again.',
    );
    this.limitFailures = this.#counter('limit_failures_total', 'Times that shared limits could not be asked.');
    this.drift = new Gauge({ ...this.#named('drift', 'Hourly and monthly sums that differ from their records.') });
  }

  /** A number that is read when `/metrics` is. */
  observe(name: string, help: string, read: () => number): void {
    new Gauge({
      ...this.#named(name, help),
      collect() {
        this.set(read());
      },
    });
  }

  #counter(name: string, help: string): Counter {
    return new Counter(this.#named(name, help));
  }

  #named(name: string, help: string) {
    const { metrics } = this.host.httpAdapter.getInstance<FastifyInstance>();
    return { name: `${PREFIX}${name}`, help, registers: [metrics] };
  }
}

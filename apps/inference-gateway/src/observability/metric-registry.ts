import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { FastHistogram } from '@hone/platform';
import type { FastifyInstance } from 'fastify';
import { Counter, Gauge, type Registry } from 'prom-client';

import { Tally } from './tally.js';

const PREFIX = 'hone_gateway_';

/** Makes metrics that `/metrics` of this service shows. Their labels take few values, none of them a caller's. */
@Injectable()
export class MetricRegistry {
  constructor(private readonly host: HttpAdapterHost) {}

  counter(name: string, help: string, labelNames: readonly string[]): Tally {
    const tally = new Tally(labelNames);
    new Counter({
      ...this.named(name, help),
      labelNames: [...labelNames],
      collect() {
        tally.take((labels, count) => this.inc(labels, count));
      },
    });
    return tally;
  }

  /** @param buckets upper bounds, in seconds */
  histogram(name: string, help: string, labelNames: readonly string[], buckets: readonly number[]): FastHistogram {
    const { registers, ...named } = this.named(name, help);
    return new FastHistogram({ ...named, labelNames, buckets, registry: registers[0] });
  }

  /** A gauge that is read when `/metrics` is: what `read` does not set is not shown. */
  observed<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    read: (gauge: Gauge<Label>) => void,
  ): void {
    new Gauge({
      ...this.named(name, help),
      labelNames: [...labelNames],
      collect() {
        this.reset();
        read(this);
      },
    });
  }

  private named(name: string, help: string) {
    const { metrics } = this.host.httpAdapter.getInstance<FastifyInstance>();
    return { name: `${PREFIX}${name}`, help, registers: [metrics] as [Registry] };
  }
}

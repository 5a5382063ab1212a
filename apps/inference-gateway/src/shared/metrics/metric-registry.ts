import { FastHistogram } from '@hone/platform';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { Counter, Gauge, type Registry } from 'prom-client';

import { LabelledCounter } from './labelled-counter.js';

const PREFIX = 'hone_gateway_';

/** Registers the metrics of this service. Labels have few values, none of them chosen by callers. */
@Injectable()
export class MetricRegistry {
  constructor(private readonly host: HttpAdapterHost) {}

  counter(name: string, help: string, labelNames: readonly string[]): LabelledCounter {
    const counter = new LabelledCounter(labelNames);
    new Counter({
      ...this.named(name, help),
      labelNames: [...labelNames],
      collect() {
        counter.take((labels, count) => this.inc(labels, count));
      },
    });
    return counter;
  }

  /** @param buckets upper bounds, in seconds */
  histogram(name: string, help: string, labelNames: readonly string[], buckets: readonly number[]): FastHistogram {
    const { registers, ...named } = this.named(name, help);
    return new FastHistogram({ ...named, labelNames, buckets, registry: registers[0] });
  }

  /** A gauge that is read at each scrape: labels that `read` does not set are not exported. */
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

import { toUsd } from '@hone/calls';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

import { QueueFiguresRepository } from './queue-figures.repository.js';

/** Tables of items, and what metrics call these. */
const ITEMS: Readonly<Record<string, string>> = {
  verdicts: 'verdict',
  evaluation_cells: 'cell',
  prompt_edit_items: 'prompt_edit',
};
/** Judges take from a tenth of a second to the two minutes after which they are given up. */
const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** How a request to the gateway ended. */
export type AskOutcome = 'ok' | 'refused' | 'unavailable';

/** What this process does is counted; what waits is read from the database when it is scraped, the same in every replica. */
@Injectable()
export class EvaluationMetrics {
  private readonly items: Counter<'item' | 'outcome'>;
  private readonly cost: Counter<'item'>;
  private readonly asks: Histogram<'outcome'>;

  constructor(
    host: HttpAdapterHost,
    private readonly figures: QueueFiguresRepository,
  ) {
    const { metrics } = host.httpAdapter.getInstance<{ metrics: Registry }>();
    const registers = [metrics];
    this.items = new Counter({
      name: 'hone_evaluation_items_total',
      help: 'Verdicts, cells and requests of prompt edits that this process settled, by how.',
      labelNames: ['item', 'outcome'],
      registers,
    });
    this.cost = new Counter({
      name: 'hone_evaluation_cost_usd_total',
      help: 'US dollars that this process booked to jobs.',
      labelNames: ['item'],
      registers,
    });
    this.asks = new Histogram({
      name: 'hone_evaluation_ask_seconds',
      help: 'Requests to the gateway, by how they ended.',
      labelNames: ['outcome'],
      buckets: SECONDS,
      registers,
    });
    this.observe(metrics);
  }

  /** @param table of the item. @param outcome its state; `pending`: it is tried again */
  settled(table: string, outcome: string): void {
    this.items.inc({ item: ITEMS[table] ?? table, outcome });
  }

  /** @param table of the items that cost it */
  booked(table: string, costNanoUsd: number): void {
    this.cost.inc({ item: ITEMS[table] ?? table }, toUsd(costNanoUsd));
  }

  asked(outcome: AskOutcome, ms: number): void {
    this.asks.observe({ outcome }, ms / 1_000);
  }

  /** While the database does not answer they are absent, and the other metrics are there. */
  private observe(metrics: Registry): void {
    const { figures } = this;
    const registers = [metrics];
    new Gauge({
      name: 'hone_evaluation_queue_items',
      help: 'Verdicts, cells and requests of prompt edits that wait or are in flight.',
      labelNames: ['item'],
      registers,
      async collect() {
        this.reset();
        for (const { item, waiting } of await figures.queues().catch(() => [])) this.set({ item }, waiting);
      },
    });
    new Gauge({
      name: 'hone_evaluation_queue_age_seconds',
      help: 'For how long the verdict, cell or request of a prompt edit has been due that has waited longest.',
      labelNames: ['item'],
      registers,
      async collect() {
        this.reset();
        for (const { item, ageSeconds } of await figures.queues().catch(() => [])) this.set({ item }, ageSeconds);
      },
    });
    new Gauge({
      name: 'hone_evaluation_monitors',
      help: 'Monitors, by whether they judge.',
      labelNames: ['state'],
      registers,
      async collect() {
        this.reset();
        for (const { state, monitors } of await figures.monitors().catch(() => [])) this.set({ state }, monitors);
      },
    });
  }
}

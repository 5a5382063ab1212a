import { Database, Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { bucketOf, type TimeRange } from '../time-buckets/time-buckets.sql.js';
import { hoursOfSums } from './hours/hours-of-sums.sql.js';

const HOUR_MS = 3_600_000;

/** A time whose calls are read themselves. */
export interface Window {
  start: Date;
  /** Excluded. */
  end: Date;
}

/** Where a chart has its figures from: calls of the windows, sums of hours for all the rest of its time. */
export interface ChartSources {
  windows: readonly Window[];
  /** Hours that the windows are of, whose sums are not read. Null: none is read. */
  readHours: readonly Date[] | null;
}

/** Decides which hours of a chart can be read as sums. */
@Injectable()
export class ChartWindowsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Sums of an hour serve a chart when no call of the hour has changed since they were made, the chart covers the hour,
   * and neither a bucket nor a price begins within it.
   *
   * @param changes when prices change
   */
  async find(projectRowId: string, range: TimeRange, changes: readonly Date[]): Promise<ChartSources> {
    if (range.granularitySeconds % (HOUR_MS / 1_000) !== 0) return { windows: [range], readHours: null };
    const edges = [range.start, range.end, ...changes].filter((time) => time.getTime() % HOUR_MS !== 0).map(hourOf);
    const hours = [
      ...edges,
      ...(await this.changedHours(projectRowId, range)),
      ...(await this.cutHours(projectRowId, range)),
    ];
    const times = [...new Set(hours.map((hour) => hour.getTime()))].sort((a, b) => a - b);
    return { windows: toWindows(times, range), readHours: times.map((time) => new Date(time)) };
  }

  private async changedHours(projectRowId: string, range: TimeRange): Promise<Date[]> {
    const rows = await this.database.client.$queryRaw<{ hour: Date }[]>`
      SELECT DISTINCT hour FROM call_hour_changes
      WHERE project_id = ${projectRowId}::uuid AND hour >= ${hourOf(range.start)} AND hour < ${range.end}`;
    return rows.map(({ hour }) => hour);
  }

  /** Hours in the middle of which a bucket begins: days of zones that are half an hour off, for example. */
  private async cutHours(projectRowId: string, range: TimeRange): Promise<Date[]> {
    if (range.timezone === 'UTC') return [];
    const rows = await this.database.client.$queryRaw<{ hour: Date }[]>`
      SELECT hour FROM (${hoursOfSums(projectRowId, range)}) h
      WHERE ${bucketOf(Prisma.sql`hour`, range)} <> ${bucketOf(Prisma.sql`(hour + interval '59 minutes 59.999 seconds')`, range)}`;
    return rows.map(({ hour }) => hour);
  }
}

const hourOf = (time: Date): Date => new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS);

/** Hours that follow each other are one window; none goes beyond the range. */
function toWindows(hours: readonly number[], { start, end }: TimeRange): Window[] {
  const windows: { start: number; end: number }[] = [];
  for (const hour of hours) {
    const last = windows.at(-1);
    if (last?.end === hour) last.end = hour + HOUR_MS;
    else windows.push({ start: hour, end: hour + HOUR_MS });
  }
  return windows
    .map((window) => ({
      start: new Date(Math.max(window.start, start.getTime())),
      end: new Date(Math.min(window.end, end.getTime())),
    }))
    .filter((window) => window.start < window.end);
}

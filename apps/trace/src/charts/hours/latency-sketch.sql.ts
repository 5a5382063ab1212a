import { Prisma } from '@hone/database';

/**
 * Latencies as a DDSketch (Masson, Rim and Lee: DDSketch, 2019): bin k counts the values v with γ^(k-1) < v <= γ^k, of which
 * 2γ^k / (γ + 1) differs by at most 1 %. Bins of any two sketches add up. Values below 1 ms have a bin of their own.
 */
const ACCURACY = 0.01;
const GAMMA = (1 + ACCURACY) / (1 - ACCURACY);
const BELOW_ONE = -1;

/** Time from start to end of `calls c` in ms; null: it runs. An end before the start counts as 0. */
export const LATENCY_MS = Prisma.sql`(CASE WHEN c.ended_at IS NOT NULL
  THEN greatest(extract(epoch FROM c.ended_at - c.started_at) * 1000, 0) END::float8)`;

/** The bin of a latency. */
export const latencyKey = (ms: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`(CASE WHEN ${ms} < 1 THEN ${BELOW_ONE}::int ELSE ceil(ln(${ms}) / ${Math.log(GAMMA)}::float8)::int END)`;

/** What a bin stands for, in ms. */
export const latencyOfKey = (key: number): number => (key === BELOW_ONE ? 0 : (2 * GAMMA ** key) / (GAMMA + 1));

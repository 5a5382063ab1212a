import type { Prisma } from '@hone/database';

/** The tables of jobs of one kind, and of their items. */
export interface LeasedTables {
  /** Of the jobs: `id, status, cost_nano_usd, finished_at`. */
  readonly jobs: Prisma.Sql;
  /** Name of `items`: the kind of their open costs. */
  readonly kind: string;
  /** Of the items: `project_id, uid, state, attempt, failures, available_at, lease_expires_at, cost_nano_usd, …`. */
  readonly items: Prisma.Sql;
  /** Column of an item that names its job. */
  readonly job: Prisma.Sql;
  /** Column of type text that identifies an item within its job; with `project_id` it begins a key of theirs. */
  readonly id: Prisma.Sql;
  /** What a claim says of its item `v` beside {@link Claim}: led by a comma. */
  readonly claimed?: Prisma.Sql;
  /** What a settlement says beside {@link Settlement}: columns of its JSON, led by a comma. */
  readonly sent?: Prisma.Sql;
  /** What becomes of the item by it: assignments from `sent`, led by a comma. */
  readonly assigned?: Prisma.Sql;
  /** What becomes of a job for which a late cost is booked: assignments, led by a comma. */
  readonly booked?: Prisma.Sql;
}

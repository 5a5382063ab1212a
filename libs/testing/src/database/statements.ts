import pg from 'pg';

/** A statement as this process sent it to Postgres. */
export interface Statement {
  text: string;
  values: unknown[];
}

/** A node of a plan as `EXPLAIN (FORMAT JSON)` prints it. */
export interface PlanNode {
  'Node Type': string;
  'Index Name'?: string;
  'Relation Name'?: string;
  'Actual Rows'?: number;
  'Rows Removed by Filter'?: number;
  'Actual Loops'?: number;
  Plans?: PlanNode[];
}

type Query = (this: pg.Client, query: unknown, values?: unknown, ...others: unknown[]) => unknown;

/** What this process sends to Postgres while `work` runs, in order. */
export async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const sent: Statement[] = [];
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const send = prototype.query;
  prototype.query = function (query, values, ...others) {
    const { text = '', values: own } = (typeof query === 'string' ? { text: query } : query) as Partial<Statement>;
    sent.push({ text, values: own ?? (Array.isArray(values) ? values : []) });
    return send.call(this, query, values, ...others);
  };
  try {
    await work();
  } finally {
    prototype.query = send;
  }
  return sent;
}

/**
 * The nodes of the plan by which Postgres executes a statement, outer ones first. The statement is executed.
 *
 * @param sql runs a statement on the database, for example that of a test app
 */
export async function planOf(
  sql: <Row>(text: string, parameters?: unknown[]) => Promise<Row[]>,
  { text, values }: Statement,
): Promise<PlanNode[]> {
  const rows = await sql<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
  const flat = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flat)];
  return flat((rows[0]?.['QUERY PLAN'][0] as { Plan: PlanNode }).Plan);
}

/** Rows of tables that a plan read or dropped, in all runs of its nodes. */
export const rowsRead = (plan: readonly PlanNode[]): number =>
  plan
    .filter((node) => node['Relation Name'] !== undefined)
    .reduce(
      (sum, node) =>
        sum + (node['Actual Loops'] ?? 1) * ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)),
      0,
    );

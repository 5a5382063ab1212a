import type { TryScorerDto, VerdictDto } from '@hone/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';

import { hone } from '../../../shared/data/hone.js';
import { useProject } from '../../../shared/data/project.js';
import { useSearchState } from '../../../shared/data/search-state.js';
import { Said } from '../../../shared/feedback/said.js';
import { formatCost } from '../../../shared/format/format.js';
import page from '../../../shared/page/page.module.css';
import { Table } from '../../../shared/page/table.js';
import { QueryLine } from '../../../shared/query/query-line.js';
import { VerdictView } from '../../../shared/scorers/verdict-view.js';
import { Button } from '../../../shared/ui/button.js';
import { ErrorNote, Loading } from '../../../shared/ui/notes.js';
import { PreviewLines } from '../../../shared/ui/preview-lines.js';
import styles from '../scorers.module.css';
import { readTriedCalls, type TriedCall } from './tried-calls.js';

/** A definition that is tried, under its title. */
export interface Tried {
  readonly title: string;
  readonly body: Pick<TryScorerDto, 'definition'>;
}

interface Found {
  readonly title: string;
  readonly verdicts: ReadonlyMap<string, VerdictDto>;
  readonly cost: number;
}

/** The newest calls that one means, what people said of them, and what each definition finds: nothing is stored. */
export function TryCalls({ tried }: { readonly tried: readonly Tried[] }) {
  const { id: project_id } = useProject();
  const [query, setQuery] = useSearchState('calls');
  const calls = useQuery({
    queryKey: ['calls to try', project_id, query],
    queryFn: ({ signal }) => readTriedCalls(project_id, query, signal),
    retry: false,
  });
  const ids = calls.data?.map(({ id }) => id) ?? [];
  const trying = useMutation({
    mutationFn: (): Promise<Found[]> =>
      Promise.all(
        tried.map(async ({ title, body }) => {
          const { verdicts, cost_usd } = await hone.evaluation.tryScorer({ project_id, call_ids: ids, ...body });
          return { title, cost: cost_usd, verdicts: new Map(verdicts.map((one) => [one.call_id, one])) };
        }),
      ),
  });
  const found = trying.data ?? [];
  return (
    <div className={page['section']}>
      <QueryLine text={query} apply={setQuery} />
      {calls.error ? (
        <ErrorNote error={calls.error} retry={() => void calls.refetch()} />
      ) : !calls.data ? (
        <Loading what="calls" />
      ) : calls.data.length === 0 ? (
        <p className={page['muted']}>No call that has ended is meant.</p>
      ) : (
        <>
          <div className={page['row']}>
            <Button disabled={trying.isPending} onClick={() => trying.mutate()}>
              {trying.isPending
                ? 'Judging …'
                : `Try on ${calls.data.length === 1 ? 'one call' : `${calls.data.length} calls`}`}
            </Button>
            {found.length > 0 && (
              <span role="status" className={page['muted']}>
                {found.map(({ title, cost }) => `${title} cost ${formatCost(cost)}`).join(', ')}. Nothing was stored.
              </span>
            )}
          </div>
          {trying.error && <ErrorNote error={trying.error} />}
          {found.length > 0 && <TriedTable calls={calls.data} found={found} />}
        </>
      )}
    </div>
  );
}

interface TableProps {
  readonly calls: readonly TriedCall[];
  readonly found: readonly Found[];
}

function TriedTable({ calls, found }: TableProps) {
  const project = useProject();
  const columns = [
    { name: 'Call', kind: 'wide' as const },
    { name: 'People say' },
    ...found.map(({ title }) => ({ name: title })),
  ];
  return (
    <Table label="Calls to try" columns={columns}>
      {calls.map(({ id, title, input, output, said }) => (
        <tr key={id}>
          <td>
            <Link to={project.path(`calls/${encodeURIComponent(id)}`)}>{title}</Link>
            <PreviewLines input={input} output={output} />
          </td>
          <td>
            <ul className={styles['plain']}>
              {said.map((one) => (
                <li key={one.id}>
                  <Said {...one} />
                </li>
              ))}
            </ul>
          </td>
          {found.map(({ title: column, verdicts }) => (
            <td key={column}>
              <VerdictView verdict={verdicts.get(id)} />
            </td>
          ))}
        </tr>
      ))}
    </Table>
  );
}

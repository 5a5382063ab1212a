import type { JudgeDisagreementDto } from '@hone/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';

import { readPreviews } from '../../../shared/calls/previews.js';
import { useProject } from '../../../shared/data/project.js';
import { formatMetric } from '../../../shared/format/format.js';
import { Table } from '../../../shared/page/table.js';
import verdict from '../../../shared/scorers/verdict.module.css';
import { PreviewLines } from '../../../shared/ui/preview-lines.js';
import styles from '../scorers.module.css';

const COLUMNS = [
  { name: 'Call', kind: 'wide' },
  { name: 'People', kind: 'number' },
  { name: 'Judge', kind: 'number' },
  { name: 'Why, says the judge' },
] as const;

interface Props {
  readonly disagreements: readonly JudgeDisagreementDto[];
  /** Number of the scale -> what the rubric says of it; empty: it says nothing. */
  readonly steps: Readonly<Record<string, string>>;
}

/** Calls on which judge and people differ, the worst first. */
export function Disagreements({ disagreements, steps }: Props) {
  const project = useProject();
  const ids = disagreements.map(({ call_id }) => call_id);
  const previews = useQuery({
    queryKey: ['disagreements', project.id, ids],
    queryFn: ({ signal }) => readPreviews(project.id, ids, signal),
    enabled: ids.length > 0,
  });
  if (disagreements.length === 0) return null;
  return (
    <>
      <h2>Where they differ, the worst first</h2>
      <Table label="Disagreements" columns={COLUMNS}>
        {disagreements.map(({ call_id, judge, human, reason }) => {
          const preview = previews.data?.get(call_id);
          return (
            <tr key={call_id}>
              <td>
                <Link to={project.path(`calls/${encodeURIComponent(call_id)}`)}>{preview?.title ?? call_id}</Link>
                {preview && <PreviewLines input={preview.input} output={preview.output} />}
              </td>
              <td data-kind="number">
                <Step value={human} steps={steps} />
              </td>
              <td data-kind="number">
                <Step value={judge} steps={steps} />
              </td>
              <td>
                <p className={verdict['reason']} dir="auto" title={reason ?? ''}>
                  {reason}
                </p>
              </td>
            </tr>
          );
        })}
      </Table>
    </>
  );
}

/** A number, and the clause of the rubric that it is of. */
const Step = ({ value, steps }: { readonly value: number } & Pick<Props, 'steps'>) => (
  <>
    {formatMetric(value)}
    {steps[String(value)] !== undefined && (
      <p className={styles['step']} dir="auto">
        {steps[String(value)]}
      </p>
    )}
  </>
);
